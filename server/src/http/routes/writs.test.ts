/** One writ: who may see it, and what is read for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { get, problemOf, served } from '../served.test-support.ts'

test('of a flow, however long, only its opening is read to show its writ', async (t) => {
  const it = await served(t)
  const auditor = it.person('al', 'auditor')
  const bot = await it.agent()
  const flow = await it.open(bot)
  await it.propose(bot, flow)
  const { store } = it.runtime.engine.context
  const kinds: unknown[] = []
  const list = store.listFlowEntries.bind(store)
  store.listFlowEntries = (dfid, wanted) => {
    kinds.push(wanted)
    return list(dfid, wanted)
  }
  const { status, body } = await get(auditor, `/v1/writs/${flow.dfid}`)
  assert.deepEqual([status, body.body.subject, body.revoked], [200, 'refunds_bot', false])
  assert.deepEqual(kinds, [['writ']])
})

test('agents and sources see no writ, no key, no id and no dirty flow', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const { dfid } = await it.open(bot)
  const paths = [
    `/v1/writs/${dfid}`,
    '/v1/keys/any',
    `/v1/ids?begins=${dfid.slice(0, 8)}`,
    '/v1/flows/dirty',
  ]
  for (const place of [bot, it.person('feed', 'source')])
    for (const path of paths)
      assert.deepEqual(problemOf(await get(place, path)), [403, 'ROLE_MISSING'], path)
})
