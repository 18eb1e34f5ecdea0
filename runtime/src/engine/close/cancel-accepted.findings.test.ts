/** What was accepted and not dispatched is given back with its flow: the intent that stands then, and no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { carryOutAccepted } from '../effect/carry-out.ts'
import { AGENT, flowStage, refund } from '../flow/flow-stage.test-support.ts'
import { parseIntent } from '../rows/stored-intent.ts'

test('cancelling does not give back an intent a second time in the place of the one that stands', async (t) => {
  const costly = {
    ...exampleCapability(() => {}),
    costOf: ({ amount }: JsonObject) => ({ usd: String(amount) }),
  }
  const stage = await flowStage({ executors: 'elsewhere', capabilities: [costly] })
  await stage.deploy({
    safety_rules: {
      budget_per_flow: { usd: '500.00' },
      budget_per_agent: { window_s: '604800', usd: '1000.00' },
    },
  })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { dfid } = flow
  const { context } = stage.engine()
  const { store } = context
  const propose = (amount: string): Promise<unknown> =>
    stage.engine().propose(dfid, refund(amount), { waitMs: 0 })
  await propose('400.00')
  const listExecutions = store.listExecutions.bind(store)
  const stands = async (): Promise<string> => {
    const [row] = await listExecutions({ dfid, status: ['ACCEPTED'], limit: 1 })
    return row === undefined ? 'nothing' : parseIntent(row.intent).intent_id
  }
  const first = await stands()
  assert.notEqual(first, 'nothing')
  let second = ''
  t.mock.method(store, 'listExecutions', async (query: Parameters<typeof listExecutions>[0]) => {
    const found = await listExecutions(query)
    if (second !== '') return found
    second = 'begun'
    // Nobody dispatches it in time; its agent proposes something else in the same step.
    await stage.clock.advance(60_000)
    await carryOutAccepted(context)
    await context.inFlight.awaitDrained()
    assert.equal(await stands(), 'nothing')
    await propose('20.00')
    second = await stands()
    return found
  })
  assert.ok((await stage.engine().cancel(dfid, 'changed our mind')).ok)
  assert.equal((await stage.flow(dfid)).state, 'ABORTED')
  const settled = (await stage.entries(dfid)).filter(([kind]) => kind === 'settle')
  assert.deepEqual(
    settled.map(([, { intent_id }]) => intent_id),
    [first, second],
  )
  await stage.close()
})
