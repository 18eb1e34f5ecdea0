/** Guards, auditors and models of a rules module: a server has them, and nothing that is misspelt is passed over. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAgent, parseAgentKey } from 'rubicon-agents'
import { CONTRACT } from '../../../runtime/src/evidence/example.test-support.ts'
import { ask } from '../http/agent-auth/client.ts'
import { home, run } from './cli.test-support.ts'
import { CliFailure } from './failure.ts'
import { loadRules } from './rules-module.ts'
import { startUpHere } from './up.test-support.ts'

const RUNTIME = new URL('../../../runtime/src/compose.ts', import.meta.url).href

const TOOL = `
export const capabilities = [{
  kind: 'REFUND', effect: 'unsafe', risk: 'low', reversible: true, params: { type: 'object' },
  measures: { amount: ({ amount }) => amount }, execute: () => ({ result: 'done' }),
}]
`

/** A model that finds fault with everything. */
const READER = `
import { createModelAuditor, createModelGuard, createScriptedProvider } from '${RUNTIME}'
const provider = createScriptedProvider({
  name: 'acme', script: () => JSON.stringify({ verdict: 'does_not_fit', why: 'another story' }),
})
const budget = { window_s: 86400, tokens: '100000' }
export const softGuards = [createModelGuard({ provider, model: 'small', budget })]
export const auditors = [createModelAuditor({ provider, model: 'small', budget })]
export const models = { acme: provider }
`

function writeModule(folder: string, text: string): string {
  const path = join(folder, `rules-${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(path, `${text}${TOOL}`)
  return path
}

/** An agent over HTTP proposes one step; what it was answered, and its flow. */
async function proposeOnce(
  folder: string,
  at: readonly string[],
  url: string,
): Promise<{ readonly dfid: string; readonly outcome: string }> {
  const key = join(folder, 'bot.key')
  const { agent_id } = CONTRACT
  const made = await run(
    ['keys', 'register', '--purpose', 'agent', '--subject', `${agent_id}`, '--out', key].concat(at),
  )
  assert.equal(made.exit, 0, made.stderr)
  const signer = await parseAgentKey(readFileSync(key, 'utf8'))
  const agent = await connectAgent({ url, agent: `${agent_id}`, key: signer })
  const flow = await agent.open({ trigger: 'ticket 1' })
  const params = { order: 'o_1', amount: '1.00' }
  const { outcome } = await flow.propose({ policy_kind: 'REFUND', params })
  await agent.close()
  return { dfid: flow.dfid, outcome }
}

test('a guard and an auditor of a rules module are asked by a server', async (t) => {
  const { at, folder } = home()
  const contract = join(folder, 'contract.json')
  writeFileSync(contract, JSON.stringify(CONTRACT))
  assert.equal((await run(['contract', 'deploy', contract, ...at])).exit, 0)
  const { said, token, stop } = await startUpHere(t, [
    '--rules',
    writeModule(folder, READER),
    ...at,
  ])
  const { dfid, outcome } = await proposeOnce(folder, at, said.url)
  assert.equal(outcome, 'ACCEPTED')
  const read = () => ask({ url: said.url, token }, 'GET', `/v1/flows/${dfid}`)
  let shown = await read()
  // Nobody waits for a guard or an auditor; the background comes to them by itself.
  for (let i = 0; i < 100 && shown.body.flags.length === 0; i++) {
    await sleep(100)
    shown = await read()
  }
  assert.deepEqual(
    shown.body.flags.map(({ by, why }: { by: string; why: string }) => [by, why]),
    [['model_guard', 'another story']],
  )
  assert.deepEqual(await stop(), [0, null])
  assert.equal((await run(['verify', ...at])).exit, 0)
})

test('a guard that is misspelt, or none, is passed over without a word', async () => {
  const { folder } = home()
  const wrong = {
    'export const softguards = []': /exports `softguards`, not `softGuards`/,
    'export const soft_guard = {}': /exports `soft_guard`, not `softGuards`/,
    'export const Auditor = {}': /exports `Auditor`, not `auditors`/,
    'export const strictSemanticBlocking = true': /not `strict_semantic_blocking`/,
    'export const softGuards = {}': /`softGuards` is no soft guard/,
    'export const softGuards = [{ name: "a" }]': /`softGuards` is no soft guard/,
    'export const auditors = [null]': /`auditors` is no auditor/,
    'export const strict_semantic_blocking = "no"': /neither true nor false/,
    'export const models = [1]': /`models`/,
    'export const models = { a: {} }': /`models`/,
  }
  for (const [text, why] of Object.entries(wrong))
    await assert.rejects(loadRules(writeModule(folder, `${text}\n`)), (error) => {
      assert.ok(error instanceof CliFailure, String(error))
      assert.equal(error.failure.code, 'RULES_MODULE')
      assert.match(error.failure.why ?? '', why, text)
      return true
    })
})
