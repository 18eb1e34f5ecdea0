import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { CommandExecutor, HttpExecutor, JsonValue } from 'rubicon-kernel'
import { observed } from '../adapters/telemetry/observed.test-support.ts'
import { AGENT } from '../engine/flow/flow-stage.test-support.ts'
import { exportLedger } from '../evidence/export-ledger.ts'
import type { Capability, Effect } from '../ports/capability.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { writeProgram } from './command/program.test-support.ts'
import { createManifestHands } from './create-hands.ts'
import type { ManifestHands, OutsideExecutor } from './hands.ts'
import { allowPort, answerWith, listen } from './http/outside.test-support.ts'

const CANARY = 'cnry7f3a9c21d4'

/** A tool that asks whatever the proposal names, with the secret. */
function buildTool(
  hands: ManifestHands,
  executors: ReadonlyMap<JsonValue, OutsideExecutor>,
): Capability {
  return {
    kind: 'REFUND',
    effect: 'queryable',
    risk: 'medium',
    reversible: true,
    params: { type: 'object', properties: { amount: { type: 'string' }, by: { type: 'string' } } },
    measures: { amount: ({ amount }) => amount },
    execute: async ({ params }, io): Promise<Effect> => {
      const executor = executors.get(params.by ?? null)
      assert.ok(executor !== undefined)
      const call = { kind: 'REFUND', agent_id: 'bot', params, purpose: 'effect' as const }
      const { result, receipt } = await hands.execute(executor, call, io)
      return { result, ...(receipt === undefined ? {} : { receipt }), observations: [result] }
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 1,
      ask: () => ({ finding: 'inconclusive' }),
    },
  }
}

test('a secret that everybody echoes is in no answer, line, span, entry or row', async (t) => {
  const folder = temporaryFolder()
  const echo = JSON.stringify({ you_sent: `Bearer ${CANARY}`, coded: btoa(`me:${CANARY}`) })
  const http = async (status: number): Promise<OutsideExecutor> => {
    const { port } = await listen(t, answerWith(status, echo, { 'request-id': CANARY }))
    ports.push(port)
    const headers: HttpExecutor['headers'] = {
      authorization: { secret: 'KEY', format: 'Bearer {secret}' },
    }
    const url = `http://127.0.0.1:${port}/`
    return { http: { method: 'POST', url, headers, applied: [200], not_applied: [422] } }
  }
  const command = (code: number): OutsideExecutor => {
    const path = writeProgram(`printf '"%s"' "$KEY"; echo "$KEY" >&2; exit ${code}`)
    paths.push(path)
    const env: CommandExecutor['env'] = { KEY: { secret: 'KEY' } }
    return { command: { argv: [path], env, applied: [0], not_applied: [3] } }
  }
  const ports: number[] = []
  const paths: string[] = []
  const executors = new Map<JsonValue, OutsideExecutor>([
    ['http 200', await http(200)],
    ['http 422', await http(422)],
    ['http 500', await http(500)],
    ['command 0', command(0)],
    ['command 3', command(3)],
    ['command 1', command(1)],
  ])
  let reads = 0
  const source = {
    read: async () => {
      reads += 1
      return CANARY
    },
  }
  const hosts = ports.map((port) => `127.0.0.1:${port}`)
  const hands = createManifestHands({
    http: ports.map((port) => allowPort(port)),
    commands: paths.map((path) => ({ path })),
    secrets: new Map([['KEY', { source, tools: ['REFUND'], hosts, commands: paths }]]),
  })
  const store = `sqlite:${join(folder, 'store.db')}`
  const heard = await observed({ store, capabilities: [buildTool(hands, executors)] })
  const { stage } = heard
  await stage.deploy()
  const answers: unknown[] = []
  const statuses: unknown[] = []
  for (const by of executors.keys()) {
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'canary' })
    const answer = await flow.propose({ policy_kind: 'REFUND', params: { amount: '20', by } })
    answers.push(answer)
    statuses.push(answer.execution?.status)
  }
  assert.deepEqual(statuses, ['SUCCESS', 'FAILED', 'UNKNOWN', 'SUCCESS', 'FAILED', 'UNKNOWN'])
  assert.equal(reads, executors.size)
  await stage.engine().checkpoint()
  const lines: string[] = []
  await exportLedger(stage.runtime().store, (line) => void lines.push(line))
  const told = await heard.text()
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const everything = [inspect(answers, { depth: null }), ...lines, told, ...files].join('\n')
  assert.ok(everything.includes('[redacted]'), 'something was there to be removed')
  for (const form of [CANARY, btoa(CANARY).slice(4, -4), Buffer.from(CANARY).toString('hex')])
    assert.ok(!everything.includes(form), form)
  assert.ok(!everything.includes(btoa(`me:${CANARY}`).slice(8, -4)))
  await heard.close()
})
