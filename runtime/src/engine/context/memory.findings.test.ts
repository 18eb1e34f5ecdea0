import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type JsonObject, LIMITS } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import { AGENT, type LayerStage, layerStage } from './layer-stage.test-support.ts'
import { loadWanted } from './rationale.ts'

const WORDS = 'the customer Zoe Quist wrote twice'

async function refund(it: LayerStage, params: JsonObject = {}): Promise<string> {
  const flow = await it.open()
  const asked = { policy_kind: 'REFUND', params: { amount: '20', ...params } }
  const { execution } = await flow.propose({ ...asked, justification: WORDS })
  assert.equal(execution?.status, 'SUCCESS')
  return flow.dfid
}

async function ledger(it: LayerStage): Promise<string> {
  const entries = await it.runtime.store.listLeaves(0, 1_000)
  return entries.map(({ payload }) => payload ?? '').join('\n')
}

test('finding 26b: what an agent wanted, why, and what came of it are in its next context', async () => {
  const it = await layerStage()
  await refund(it, { note: `N\u200bo ${'x'.repeat(10)}` })
  const [entry] = (await it.open()).context.memory
  const params = { amount: '20', note: `No ${'x'.repeat(10)}` }
  assert.deepEqual(entry?.said, { params, rationale: WORDS, result: 'done' })
  assert.ok((entry?.tokens ?? 0) > 20)
  await it.close()
})

test('finding 26b: what was remembered goes with the flow that said it, also out of later contexts', async () => {
  const it = await layerStage()
  const dfid = await refund(it)
  const later = await it.open()
  const [ref] = (await it.runtime.store.listRecords('memory', AGENT, { limit: 1 })).map(
    (r) => r.body,
  )
  assert.ok(ref?.said)
  // The snapshot holds what proves it, and nothing of it.
  const proof = computeAddress('memory', ref.said, sha256)
  assert.ok((await ledger(it)).includes(proof))
  const row = await it.runtime.store.readFlow(later.dfid)
  assert.equal(later.context.snapshot_id, row?.snapshot_id)
  const done = await it.runtime.engine.oversight.erase({ dfid, reason: 'asked for', by: 'p_olga' })
  assert.ok(done.ok)
  assert.deepEqual((await it.open()).context.memory, [])
  assert.equal((await ledger(it)).includes(WORDS), false, 'no later flow repeats it')
  await it.close()
})

test('what is too long to be remembered is left out, and named', async () => {
  const it = await layerStage()
  await refund(it, { note: 'x'.repeat(LIMITS.memorySaidLength) })
  const [entry] = (await it.open()).context.memory
  assert.deepEqual(entry?.said, { rationale: WORDS, result: 'done', left_out: ['params'] })
  await it.close()
})

test('why something was wanted is found in the ledger, where it was dispatched by another process', async () => {
  const it = await layerStage()
  const dfid = await refund(it)
  const { store, engine } = it.runtime
  const [execution] = await store.listExecutions({ dfid, limit: 1 })
  const flow = await store.readFlow(dfid)
  assert.ok(execution !== undefined && flow !== null)
  const intent = JSON.parse(execution.intent) as Dispatched['intent']
  const wanted = await loadWanted(engine.context, { intent, execution, flow })
  assert.deepEqual(wanted, { params: { amount: '20' }, rationale: WORDS })
  const compensation = { action: 'REVERT', chosen: intent.intent_id, dfid, of: intent.intent_id }
  const undone = await loadWanted(engine.context, {
    intent: { ...intent, compensation },
    execution,
    flow,
  })
  assert.deepEqual(undone, { params: { amount: '20' } }, 'why another takes it back is not told')
  await it.close()
})
