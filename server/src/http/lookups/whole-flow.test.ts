/** An agent makes its flows as long as it likes, and asks for them as often: nobody waits for that but itself. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { createRuntime, type Runtime } from '../../../../runtime/src/compose.ts'
import type { StoredEntry } from '../../../../runtime/src/ports/store.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import type { ExecutionView } from '../views/execution-view.ts'
import { createLocalLookups } from './all.ts'
import { FlowLength } from './flow-length.ts'
import type { LookupRequest, Lookups } from './lookup.ts'

type Stage = {
  readonly runtime: Runtime
  readonly lookups: Lookups
  readonly dfid: string
  readonly asked: LookupRequest
}

async function stageLongFlow(t: TestContext): Promise<Stage> {
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [refundCapability([])],
    report: () => {},
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 4711', steps: 'many' })
  for (let i = 0; i < 20; i++) {
    const params = { order: `o_${i}`, amount: '1.00' }
    await flow.propose({ policy_kind: 'REFUND', params, step_id: `s${i}` })
  }
  await flow.close()
  const { dfid } = flow
  const asked = { asker: 'agent refunds_bot', own: null, params: { dfid }, query: {} }
  return { runtime, lookups: createLocalLookups(runtime.engine.context), dfid, asked }
}

function parseBody(body: unknown): Readonly<Record<string, unknown>> {
  assert.ok(typeof body === 'string')
  return JSON.parse(body)
}

test('a long flow is read a few entries and effects at a time, and others are answered meanwhile', async (t) => {
  const { runtime, lookups, dfid, asked } = await stageLongFlow(t)
  const { store } = runtime
  const stored = await store.listFlowEntries(dfid)
  const listed = t.mock.method(store, 'listFlowEntries')
  const executions = t.mock.method(store, 'listExecutions')
  const ended: string[] = []
  const { promise: other, resolve } = Promise.withResolvers<void>()
  setImmediate(() => {
    ended.push('somebody else')
    resolve()
  })
  // Time passes while it is read, as on a machine with much to do.
  const { clock } = runtime.engine.context
  let passed = 0
  t.mock.method(clock, 'monotonic', () => (passed += LIMITS.pastSliceMs))
  const { body } = await lookups.answer('getFlow', asked)
  ended.push('the flow')
  await other
  assert.deepEqual(ended, ['somebody else', 'the flow'])
  const steps = listed.mock.calls.map(({ arguments: [, , last = Infinity] }) => last)
  assert.ok(steps.every((last) => last <= 4 * LIMITS.entriesPerStep))
  assert.ok(
    executions.mock.calls.every(({ arguments: [{ limit }] }) => limit <= LIMITS.entriesPerStep),
  )
  const flow = parseBody(body)
  assert.ok(Array.isArray(flow.entries) && Array.isArray(flow.executions))
  assert.deepEqual(
    flow.entries.map(({ id }) => id),
    stored.map(({ id }) => id),
  )
  assert.equal(new Set(flow.executions.map(({ step_id }) => step_id)).size, 20)
})

test('of a flow that is erased while it is read nothing is shown that was read before', async (t) => {
  const { runtime, lookups, dfid, asked } = await stageLongFlow(t)
  const { store, engine } = runtime
  const listEntries = store.listFlowEntries.bind(store)
  let erased: Promise<unknown> | null = null
  t.mock.method(
    store,
    'listFlowEntries',
    async (...[flow, kinds, last, before]: Parameters<typeof listEntries>) => {
      const entries = await listEntries(flow, kinds, last, before)
      if (before !== undefined && erased === null) {
        erased = engine.oversight.erase({ dfid, reason: 'they asked', by: 'ann' })
        await erased
      }
      return entries
    },
  )
  const { body } = await lookups.answer('getFlow', asked)
  assert.ok(erased !== null)
  const text = JSON.stringify(parseBody(body))
  assert.ok(!text.includes('o_1') && !text.includes('ticket 4711'), text.slice(0, 500))
})

test('what an agent says in few words has its bound, too, and hides no effect', () => {
  const length = new FlowLength()
  const payload = `"${'x'.repeat(LIMITS.flowShortLength - 2)}"`
  const count = (3 * LIMITS.flowLength) / payload.length
  const shown = Array.from({ length: count }, () => length.shortenEntry({ payload } as StoredEntry))
  const kept = shown.filter((one) => one.payload !== null)
  assert.equal(kept.length, (2 * count) / 3)
  assert.equal(length.withheld, count / 3)
  const effect = { params: { amount: '1.00' }, result: null, receipt: null, details: null }
  assert.deepEqual(length.shortenExecution(effect as unknown as ExecutionView), effect)
})
