/** Who may look things up by their ids. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { get, problemOf, served } from '../served.test-support.ts'

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
