/** However much was said in a flow, what became of its last proposal is found without reading all of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import type { Store } from '../../ports/store.ts'

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
