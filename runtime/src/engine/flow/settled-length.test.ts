/** However much was said in a flow, what became of its last proposal is found without reading all of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import type { Store } from '../../ports/store.ts'
import { buy, sagaStage, sell } from '../compensate/saga-stage.test-support.ts'

test('the outcome of a long flow is read from its last entries and its last steps', async (t) => {
  const { runtime, ...example } = await exampleRuntime({ background: false })
  t.after(() => example.close())
  const { engine } = runtime
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket', steps: 'many' })
  const propose = (amount: string, step_id: string) =>
    flow.propose({ policy_kind: 'REFUND', params: { amount, order: step_id }, step_id })
  for (let i = 0; i < 20; i++) assert.equal((await propose('1.00', `s${i}`)).outcome, 'ACCEPTED')
  const { store } = engine.context
  const listed = t.mock.method(store, 'listFlowEntries')
  const executions = t.mock.method(store, 'listExecutions')
  const outcome = await engine.contextStore.awaitOutcome(flow.dfid, {})
  assert.ok(outcome.ok && outcome.value.settled)
  const { answer } = outcome.value
  assert.equal(answer?.outcome, 'ACCEPTED')
  const { dispatched } = (await store.readDecision(flow.dfid, 's19', () => []))?.claim ?? {}
  assert.equal(answer?.trace_id, `${dispatched?.trajectory}/${dispatched?.seq}`)
  const asked = listed.mock.calls.map(
    (call) => call.arguments as Parameters<Store['listFlowEntries']>,
  )
  assert.ok(asked.length > 0 && asked.every(([, , last = LIMITS.entriesPerPage]) => last <= 4))
  assert.equal(executions.mock.callCount(), 0)

  const refused = await propose('90000.00', 's20')
  const told = await engine.contextStore.awaitOutcome(flow.dfid, {})
  assert.ok(told.ok && told.value.settled)
  assert.deepEqual(
    [told.value.answer?.outcome, told.value.answer?.reason_code],
    [refused.outcome, refused.reason_code],
  )
})

test('the outcome of a flow that was taken back is read without all of its steps', async (t) => {
  const it = await sagaStage()
  const flow = await it.trade()
  for (let i = 0; i < 9; i++)
    assert.equal((await sell(flow, `A${i}`, `s${i}`)).execution?.status, 'SUCCESS')
  it.market.does = { BUY: 'refuse' }
  const refused = await buy(flow, 'B', 'z')
  assert.equal(refused.execution?.status, 'FAILED')
  it.market.does = {}
  await (await it.desk()).compensate(flow.dfid, 'REVERT')
  assert.deepEqual(
    it.market.calls.filter((call) => call === 'undo SELL').length,
    9,
    JSON.stringify(it.market.calls),
  )
  const { store, engine } = it.runtime()
  const executions = t.mock.method(store, 'listExecutions')
  const outcome = await engine.contextStore.awaitOutcome(flow.dfid, {})
  assert.ok(outcome.ok && outcome.value.settled)
  assert.equal(outcome.value.answer?.trace_id, refused.trace_id)
  assert.equal(executions.mock.callCount(), 0)
})
