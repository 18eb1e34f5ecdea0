/** A proof and an atom, step by step, in the flow that they were made for. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { createAgentKey, proveIntent, signKeyRegistration } from 'rubicon-agents'
import type { Runtime } from 'rubicon-runtime'
import { registerKey } from 'rubicon-runtime/engine/authority'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { refundCapability } from '../../../server/src/demo/refunds.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { contract } from './refunds.test-support.ts'

const PROVER = 'proven_refunds'
const PARAMS = { order: 'o_1', amount: '20.00' }

let opened: OpenConsole
const flows = { proven: '', forged: '', settled: '', changed: '' }

/** One that holds, and one whose amount was changed on the way. */
async function seedProofs(runtime: Runtime): Promise<void> {
  await runtime.deploy(buildContract(PROVER, ['REFUND']))
  const key = await createAgentKey()
  const registration = await signKeyRegistration(key, PROVER)
  assert.ok((await registerKey(runtime.engine.context, registration)).ok)
  const open = async () => {
    const flow = await runtime.open({ agent: PROVER, trigger: 'ticket 1' })
    const { evidence } = flow.context
    assert.ok(evidence !== undefined)
    const wanted = { policy_kind: 'REFUND', params: PARAMS }
    return { flow, proof: await proveIntent(key, { ...flow.context, evidence }, wanted) }
  }
  const first = await open()
  assert.equal((await first.flow.propose(first.proof)).outcome, 'ACCEPTED')
  const { flow, proof } = await open()
  const intent_payload = { ...proof.intent_payload, params: { ...PARAMS, amount: '21.00' } }
  assert.equal((await flow.propose({ ...proof, intent_payload })).reason_code, 'REJECT_AUTH')
  flows.proven = first.flow.dfid
  flows.forged = flow.dfid
}

/** One whose atom still stands at its decision, and one since whose issue authority has moved. */
async function seedAtoms(runtime: Runtime): Promise<void> {
  await runtime.deploy(contract())
  const decide = async (between: () => Promise<unknown>): Promise<string> => {
    const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 2' })
    const { atom_id } = await flow.atom({ policy_kinds: ['REFUND'] })
    await between()
    const answer = await flow.propose({ policy_kind: 'REFUND', params: PARAMS, atom_id })
    assert.equal(answer.outcome, 'ACCEPTED')
    return flow.dfid
  }
  flows.settled = await decide(async () => {})
  flows.changed = await decide(() => runtime.deploy(buildContract('somebody_else', ['REFUND'])))
}

before(async () => {
  opened = await openConsole({
    runtime: {
      capabilities: [refundCapability([])],
      topologies: [{ topology: 'DL_PCI', agents: [PROVER] }],
    },
    async seed(runtime) {
      await seedProofs(runtime)
      await seedAtoms(runtime)
    },
  })
})
after(() => opened.close())

async function readSteps(dfid: string, label: string): Promise<readonly string[]> {
  const { page, url } = opened
  await page.goto(`${url}/flows/${dfid}`)
  const list = page.getByRole('list', { name: label })
  await list.waitFor()
  const texts = await list.locator('> li').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

test('a proof that held shows its five steps, and its statement can be taken away', async () => {
  const steps = await readSteps(flows.proven, 'steps of the proof')
  assert.equal(steps.length, 5)
  for (const step of steps) assert.match(step, /✔ yes/)
  assert.match(steps[1] ?? '', /the same$/)
  const { page } = opened
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the statement' }).click(),
  ])
  assert.equal(file.suggestedFilename(), `${flows.proven}.intoto.json`)
  const { payloadType } = JSON.parse(readFileSync(await file.path(), 'utf8'))
  assert.equal(payloadType, 'application/vnd.in-toto+json')
})

test('a proof that was changed on the way ends at its signature, and has no statement', async () => {
  const steps = await readSteps(flows.forged, 'steps of the proof')
  assert.match(steps[0] ?? '', /✖ no/)
  for (const step of steps.slice(1)) assert.match(step, /not asked$/)
  const { page } = opened
  assert.equal(await page.getByRole('button', { name: 'Download the statement' }).count(), 0)
})

test('an atom shows what it settled, and what was asked again because authority has moved', async () => {
  const label = 'checks of attempt 1 under the atom'
  const settled = await readSteps(flows.settled, label)
  assert.equal(settled.length, 3)
  for (const check of settled) assert.match(check, /was not asked again/)
  const changed = await readSteps(flows.changed, label)
  assert.equal(changed.length, 3)
  for (const check of changed) assert.match(check, /asked again: authority was changed since/)
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
