/** G2 for browsers: whoever makes cookies up has none looked up any more, and keeps nobody else out. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { buildCookieName, SESSION } from '../../people/session-cookie.ts'
import { get, served } from '../served.test-support.ts'

const MANY = 3 * LIMITS.strangersAtOnce

test('cookies that are made up are looked up as often as anybody may guess, also where people stop agents', async (t) => {
  const it = await served(t)
  const oscar = it.person('oscar', 'operator')
  const { host, hostname, port, origin } = new URL(oscar.url)
  const { store } = it.runtime
  const looked = t.mock.method(store, 'readRecord')
  const name = buildCookieName(SESSION, { host, publicUrl: undefined })
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const cookie = `${name}=default/oscar/${randomBytes(32).toString('base64url')}`
      const headers = { cookie, origin, 'content-type': 'application/json' }
      const path = '/v1/agents/refunds_bot/transitions'
      const asked = request({ hostname, port, method: 'POST', path, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
      asked.end('{}')
    })
  const statuses = new Set<number | undefined>()
  for (let i = 0; i < MANY; i++) statuses.add(await ask())
  assert.deepEqual([...statuses].toSorted(), [401, 429])
  const lookups = looked.mock.calls.filter(({ arguments: [kind] }) => kind === 'person_session')
  assert.ok(lookups.length < MANY / 2, `${lookups.length} of ${MANY} were looked up`)
  assert.equal((await get(oscar, '/v1/agents')).status, 200)
  const bot = await it.agent()
  assert.equal((await get(bot, '/v1/agents/refunds_bot/state')).status, 200)
})
