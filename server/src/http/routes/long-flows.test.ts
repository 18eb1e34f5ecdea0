/** A flow may be long, and people look at it on the thread that decides: nothing reads all that was said in it. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshKey, get, post, refund, type Served, served } from '../served.test-support.ts'

/** The kinds of entries that are asked for, of any flow. */
function recordKinds(t: TestContext, { runtime }: Served): readonly unknown[] {
  const { store } = runtime.engine.context
  const kinds: unknown[] = []
  const list = store.listFlowEntries.bind(store)
  t.mock.method(store, 'listFlowEntries', (...asked: Parameters<typeof list>) => {
    kinds.push(asked[1])
    return list(...asked)
  })
  return kinds
}

test('to show its writ only the opening of a flow is read', async (t) => {
  const it = await served(t)
  const auditor = it.person('al', 'auditor')
  const bot = await it.agent()
  const flow = await it.open(bot)
  await it.propose(bot, flow)
  const kinds = recordKinds(t, it)
  const { status, body } = await get(auditor, `/v1/writs/${flow.dfid}`)
  assert.deepEqual([status, body.body.subject, body.revoked], [200, 'refunds_bot', false])
  assert.deepEqual(kinds, [['writ']])
})

test('to show a request no more of its flow is read than is said about it', async (t) => {
  const it = await served(t)
  const ann = it.person('ann@example.com', 'approver')
  const bot = await it.agent()
  const flow = await it.open(bot)
  const asked = await post(bot, `/v1/flows/${flow.dfid}/proposals`, {
    body: refund(flow, '700.00'),
    headers: freshKey(),
  })
  assert.equal(asked.body.outcome, 'ESCALATED', JSON.stringify(asked.body))
  const kinds = recordKinds(t, it)
  const id = `${flow.dfid}:1`
  const brief = await get(ann, `/v1/escalations/${id}/brief`)
  assert.deepEqual([brief.status, brief.body.id], [200, id])
  assert.ok(kinds.length > 0 && !kinds.includes(undefined), JSON.stringify(kinds))
})
