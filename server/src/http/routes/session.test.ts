import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText, LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { StoreError } from '../../../../runtime/src/ports/store.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { createMovableClock } from '../../demo/stage.ts'
import { signIn } from '../../people/browser.test-support.ts'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import { get, post, problemOf, served } from '../served.test-support.ts'

const FACT = { body: { path: 'a', value: 1 } }

test('a token becomes a cookie that scripts cannot read and other sites cannot send', async (t) => {
  const { person } = await served(t)
  const jane = person('jane@example.com', 'auditor', 'operator')
  const browser = await signIn(jane)
  assert.match(
    browser.set,
    /^rubicon-session-[0-9]+=default\/jane@example\.com\/[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  )
  const { name, shown, roles, tenant, csrf } = browser.session
  assert.deepEqual([name, shown, tenant], ['jane@example.com', 'jane@example.com', 'default'])
  assert.deepEqual(roles, ['auditor', 'operator'])
  assert.match(csrf, /^[0-9a-f]{64}$/)
  assert.deepEqual((await browser.ask('GET', '/v1/session')).body, browser.session)
  assert.equal((await browser.ask('GET', '/v1/flows')).status, 200)
  assert.equal((await browser.ask('POST', '/v1/observations', FACT)).status, 200)
})

test('behind a proxy with TLS the cookie is for TLS only, and its origin is ours', async (t) => {
  const publicUrl = new URL('https://rubicon.example.com')
  const { person } = await served(t, { parts: { publicUrl } })
  const browser = await signIn(person('jane', 'operator'), { origin: publicUrl.origin })
  assert.match(browser.set, /^__Host-rubicon-session=.*; SameSite=Strict; Max-Age=43200; Secure$/)
  assert.equal((await browser.ask('POST', '/v1/observations', FACT)).status, 200)
})

test('who comes with a token is told who it is, and needs no word', async (t) => {
  const { person } = await served(t)
  const jane = person('jane', 'operator')
  const { body } = await get(jane, '/v1/session')
  assert.deepEqual(body, {
    name: 'jane',
    shown: 'jane',
    person: null,
    login: null,
    roles: ['operator'],
    tenant: 'default',
    csrf: '',
    expires_at: null,
  })
  assert.equal((await post(jane, '/v1/observations', FACT)).status, 200)
})

test('a wrong token signs nobody in, and too many of them are not even looked at', async (t) => {
  const { server } = await served(t, { parts: { strangers: { perSecond: 0, atOnce: 2 } } })
  const guess = { body: { token: 'x'.repeat(40) } }
  for (const _ of [1, 2]) {
    const answer = await post(server, '/v1/session', guess)
    assert.deepEqual(problemOf(answer), [401, 'TOKEN_INVALID'])
    assert.equal(answer.headers.get('set-cookie'), null)
  }
  assert.deepEqual(problemOf(await post(server, '/v1/session', guess)), [429, 'RATE_LIMITED'])
})

test('a cookie alone changes nothing: it takes our origin and the word of the session', async (t) => {
  const { person, server } = await served(t)
  const browser = await signIn(person('jane', 'operator'))
  const john = await signIn(person('john', 'operator'))
  const { url } = server
  const refusals: readonly (readonly [Record<string, string>, string])[] = [
    [{ origin: 'https://evil.example.com' }, 'ORIGIN_REFUSED'],
    [{ origin: 'null' }, 'ORIGIN_REFUSED'],
    [{ origin: url.replace('http:', 'https:') }, 'ORIGIN_REFUSED'],
    [{ origin: 'http://127.0.0.1:1' }, 'ORIGIN_REFUSED'],
    [{ 'sec-fetch-site': 'same-site' }, 'ORIGIN_REFUSED'],
    [{ 'sec-fetch-site': 'cross-site' }, 'ORIGIN_REFUSED'],
    [{ 'rubicon-csrf': '' }, 'CSRF_INVALID'],
    [{ 'rubicon-csrf': 'x'.repeat(64) }, 'CSRF_INVALID'],
    [{ 'rubicon-csrf': john.session.csrf }, 'CSRF_INVALID'],
  ]
  for (const [headers, code] of refusals) {
    const answer = await browser.ask('POST', '/v1/observations', { ...FACT, headers })
    assert.deepEqual(problemOf(answer), [403, code], JSON.stringify(headers))
  }
  const { cookie, session } = browser
  const said = { cookie, 'rubicon-csrf': session.csrf }
  const nowhere = await post({ url }, '/v1/observations', { ...FACT, headers: said })
  assert.deepEqual(problemOf(nowhere), [403, 'ORIGIN_REFUSED'])
  const ours = { ...said, 'sec-fetch-site': 'same-origin' }
  assert.equal((await post({ url }, '/v1/observations', { ...FACT, headers: ours })).status, 200)
})

test('a form of another site is refused before anybody asks who it is', async (t) => {
  const { server } = await served(t)
  const headers = { origin: 'https://evil.example.com', 'content-type': 'text/plain' }
  for (const path of ['/v1/session', '/v1/agents/handshake', '/v1/observations']) {
    const answer = await post(server, path, { body: '{}', headers })
    assert.deepEqual(problemOf(answer), [403, 'ORIGIN_REFUSED'])
  }
})

test('whoever signs out is out, with this browser and no other', async (t) => {
  const { person } = await served(t)
  const jane = person('jane', 'auditor')
  const [desk, phone] = [await signIn(jane), await signIn(jane)]
  const out = await desk.ask('DELETE', '/v1/session')
  assert.deepEqual([out.status, out.body], [200, { signed_out: true, provider: null }])
  assert.match(out.headers.get('set-cookie') ?? '', /-session-[0-9]+=; .*Max-Age=0/)
  assert.deepEqual(problemOf(await desk.ask('GET', '/v1/flows')), [401, 'SIGNED_OUT'])
  assert.equal((await phone.ask('GET', '/v1/flows')).status, 200)
})

test('a session ends when nobody used it, both sides of the boundary', async (t) => {
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'))
  const { person } = await served(t, { clock })
  const jane = person('jane', 'auditor')
  const [used, left] = [await signIn(jane), await signIn(jane)]
  clock.ahead(LIMITS.personIdleMs - 1)
  assert.equal((await used.ask('GET', '/v1/flows')).status, 200)
  clock.ahead(1)
  assert.equal((await used.ask('GET', '/v1/flows')).status, 200)
  const late = await left.ask('GET', '/v1/flows')
  assert.deepEqual(problemOf(late), [401, 'SIGN_IN_EXPIRED'])
})

test('who is signed in can still look when the store takes nothing', async (t) => {
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'))
  const { person, runtime } = await served(t, { clock })
  const jane = await signIn(person('jane', 'operator'))
  clock.ahead(LIMITS.personSeenMs)
  t.mock.method(runtime.store, 'commit', async () => {
    throw new StoreError('STORE_FULL', 'the disk is full', 'make room')
  })
  assert.equal((await jane.ask('GET', '/v1/flows')).status, 200)
  const refused = await jane.ask('POST', '/v1/observations', FACT)
  assert.deepEqual(problemOf(refused), [503, 'STORE_FULL'])
})

test('a session ends at its end, however much it was used', async (t) => {
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'))
  const { person } = await served(t, { clock })
  const browser = await signIn(person('jane', 'auditor'))
  const step = LIMITS.personIdleMs / 2
  for (let ms = step; ms < LIMITS.personSessionMs; ms += step) {
    clock.ahead(step)
    assert.equal((await browser.ask('GET', '/v1/flows')).status, 200)
  }
  clock.ahead(step)
  assert.deepEqual(problemOf(await browser.ask('GET', '/v1/flows')), [401, 'SIGN_IN_EXPIRED'])
})

test('the store has no cookie, and the session outlives the process', async (t) => {
  const folder = temporaryFolder()
  const store = `sqlite:${folder}/rubicon.db`
  const first = await served(t, { store, stateDirectory: folder })
  const browser = await signIn(first.person('jane', 'auditor'))
  const kept = await first.runtime.store.listRecords('person_session', 'jane', { limit: 10 })
  assert.equal(kept.length, 1)
  assert.ok(!JSON.stringify(kept).includes(browser.cookie.split('/')[2] ?? '?'))
  await first.close()
  const second = await served(t, { store, stateDirectory: folder })
  second.person('jane', 'auditor')
  // Another port, so that the cookie has another name.
  const cookie = `rubicon-session-${second.server.port}=${browser.cookie.split('=')[1]}`
  const answer = await get(second.server, '/v1/session', { headers: { cookie } })
  assert.deepEqual([answer.status, answer.body.csrf], [200, browser.session.csrf])
})

test('a token that was replaced, and roles that were taken, count in the browser as well', async (t) => {
  let known: readonly KnownPerson[] = []
  const people = createPeople(() => known, nodeCrypto.sha256)
  const { server } = await served(t, { parts: { people } })
  const token = 't'.repeat(40)
  const token_hash = hashText(token, nodeCrypto.sha256)
  known = [{ name: 'jane', roles: ['auditor', 'operator'], token_hash }]
  const browser = await signIn({ url: server.url, token })
  known = [{ name: 'jane', roles: ['auditor'], token_hash }]
  assert.deepEqual((await browser.ask('GET', '/v1/session')).body.roles, ['auditor'])
  const refused = await browser.ask('POST', '/v1/observations', FACT)
  assert.deepEqual(problemOf(refused), [403, 'ROLE_MISSING'])
  known = [{ name: 'jane', roles: ['auditor'], token_hash: 'another' }]
  assert.deepEqual(problemOf(await browser.ask('GET', '/v1/flows')), [401, 'SIGNED_OUT'])
  known = []
  assert.deepEqual(problemOf(await browser.ask('GET', '/v1/flows')), [401, 'SIGNED_OUT'])
})

test('a person has so many browsers, and the oldest goes first', async (t) => {
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'))
  const { person } = await served(t, { clock })
  const jane = person('jane', 'auditor')
  const browsers = []
  for (let i = 0; i <= LIMITS.sessionsPerPerson; i++) {
    browsers.push(await signIn(jane))
    clock.ahead(1_000)
  }
  const statuses = []
  for (const browser of browsers) statuses.push((await browser.ask('GET', '/v1/flows')).status)
  assert.deepEqual(statuses, [401, ...Array(LIMITS.sessionsPerPerson).fill(200)])
})

test('what looks like a cookie of ours and is none is nobody\u2019s', async (t) => {
  const { person, server } = await served(t)
  const { cookie } = await signIn(person('jane', 'auditor'))
  const [name, value = ''] = cookie.split('=')
  const odd = [
    `${name}=`,
    `${name}=x`,
    `${name}=${value}x`,
    `${name}=${value.replace('jane', 'john')}`,
    `${name}=${value.replace('default', 'other')}`,
    `${name}=${value}; ${name}=${value}`,
  ]
  for (const one of odd) {
    const answer = await get(server, '/v1/flows', { headers: { cookie: one } })
    // Two of one name: nobody knows which is ours, so that there is none.
    const code = one.includes('; ') ? 'TOKEN_MISSING' : 'SIGNED_OUT'
    assert.deepEqual(problemOf(answer), [401, code], one)
  }
  const headers = { cookie: `a=b; ${cookie}; c=d` }
  assert.equal((await get(server, '/v1/flows', { headers })).status, 200)
})

test('no answer may be framed, and none runs anything', async (t) => {
  const { server } = await served(t)
  const { headers } = await get(server, '/healthz')
  assert.equal(headers.get('x-frame-options'), 'DENY')
  const policy = "default-src 'none'; frame-ancestors 'none'"
  assert.equal(headers.get('content-security-policy'), policy)
})
