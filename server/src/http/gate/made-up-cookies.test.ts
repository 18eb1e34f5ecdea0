/** G2 for browsers: whoever makes cookies up has none looked up any more, and keeps nobody else out. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { buildCookieName, SESSION } from '../../people/session-cookie.ts'
import { get, post, type Served, served } from '../served.test-support.ts'

const MANY = 3 * LIMITS.strangersAtOnce

type Door = { readonly method: 'GET' | 'POST'; readonly path: string }

/** The statuses that were answered, and how many cookies were looked up. */
async function showMadeUpCookies(
  t: TestContext,
  { runtime, server }: Served,
  { method, path }: Door,
): Promise<{ readonly statuses: readonly unknown[]; readonly lookups: number }> {
  const { host, hostname, port, origin } = new URL(server.url)
  const looked = t.mock.method(runtime.store, 'readRecord')
  const name = buildCookieName(SESSION, { host, publicUrl: undefined })
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const cookie = `${name}=default/oscar/${randomBytes(32).toString('base64url')}`
      const headers = { cookie, origin, 'content-type': 'application/json' }
      const asked = request({ hostname, port, method, path, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
      asked.end(method === 'GET' ? '' : '{}')
    })
  const statuses = new Set<number | undefined>()
  for (let i = 0; i < MANY; i++) statuses.add(await ask())
  const lookups = looked.mock.calls.filter(({ arguments: [kind] }) => kind === 'person_session')
  return { statuses: [...statuses].toSorted(), lookups: lookups.length }
}

test('cookies that are made up are looked up as often as anybody may guess, also where people stop agents', async (t) => {
  const it = await served(t)
  const oscar = it.person('oscar', 'operator')
  const door = { method: 'POST', path: '/v1/agents/refunds_bot/transitions' } as const
  const { statuses, lookups } = await showMadeUpCookies(t, it, door)
  assert.deepEqual(statuses, [401, 429])
  assert.ok(lookups < MANY / 2, `${lookups} of ${MANY} were looked up`)
  assert.equal((await get(oscar, '/v1/agents')).status, 200)
  const bot = await it.agent()
  assert.equal((await get(bot, '/v1/agents/refunds_bot/state')).status, 200)
})

test('cookies that are made up are looked up no more often where anybody may ask who is signed in', async (t) => {
  const it = await served(t)
  const oscar = it.person('oscar', 'operator')
  const { url } = it.server
  const { origin } = new URL(url)
  const signed = await post({ url }, '/v1/session', {
    body: { token: oscar.token },
    headers: { origin },
  })
  const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  assert.equal((await get({ url }, '/v1/session', { headers: { cookie } })).status, 200)
  const { statuses, lookups } = await showMadeUpCookies(t, it, {
    method: 'GET',
    path: '/v1/sign-in',
  })
  assert.deepEqual(statuses, [200, 429])
  assert.ok(lookups < MANY / 2, `${lookups} of ${MANY} were looked up`)
  assert.equal(
    (await get({ url }, '/v1/sign-in')).status,
    200,
    'without a cookie none is looked up',
  )
  const own = await get({ url }, '/v1/sign-in', { headers: { cookie } })
  assert.equal(own.body.session.name, 'oscar', 'who is known at this address is not kept out')
})
