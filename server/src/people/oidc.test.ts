import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { get, post, problemOf, type Served, served } from '../http/served.test-support.ts'
import { startServer } from '../http/server.ts'
import type { ServerParts } from '../http/server-parts.ts'
import { OpenId } from './oidc.ts'
import { checkOidc, type OidcOptions } from './oidc-options.ts'
import { createPeople } from './people.ts'
import type { TestProvider } from './provider.test-support.ts'
import {
  CLIENT,
  FormBrowser,
  type ProviderOptions,
  startProvider,
} from './provider.test-support.ts'

const START = '/v1/sign-in/oidc'
const ANN = {
  groups: ['managers', 'staff'],
  email: 'ann@example.com',
  email_verified: true,
}
const ROLES = { approver: ['managers'], operator: ['ops'] } as const

type Stage = {
  readonly served: Served
  readonly provider: TestProvider
  readonly browser: FormBrowser
  readonly start: string
}

async function stage(
  t: TestContext,
  options: Partial<ProviderOptions> = {},
  more: Partial<OidcOptions> = {},
  parts: Partial<ServerParts> = {},
): Promise<Stage> {
  const provider = await startProvider(t, { accounts: { ann: ANN }, ...options })
  const oidc = new OpenId({
    issuer: provider.issuer,
    ...CLIENT,
    roles: ROLES,
    tenant: 'default',
    ...more,
  })
  const it = await served(t, { parts: { oidc, ...parts } })
  provider.open(it.server.url)
  return {
    served: it,
    provider,
    browser: new FormBrowser(),
    start: `${it.server.url}${START}`,
  }
}

/** Where the browser ends up once the provider has sent it back. */
async function landed({ browser }: Stage, back: string): Promise<string> {
  const response = await browser.visit(back)
  assert.equal(response.status, 303, await response.text())
  return response.headers.get('location') ?? ''
}

async function whoIs({
  browser,
  served,
}: Stage): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const response = await browser.visit(`${served.server.url}/v1/session`)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const REFUSED = '/?sign_in_problem=SIGN_IN_REFUSED'

test('a person signs in with the provider, and is who it says', async (t) => {
  const it = await stage(t)
  const ways = await get(it.served.server, '/v1/sign-in')
  assert.deepEqual(ways.body, {
    token: true,
    oidc: { start: START, issuer: it.provider.issuer },
    session: null,
  })
  const back = await it.browser.signInAs('ann', `${it.start}?return_to=/inbox?id=7`)
  assert.equal(await landed(it, back), '/inbox?id=7')
  const { status, body } = await whoIs(it)
  const { name, shown, roles, tenant } = body
  assert.deepEqual(
    [status, name, shown, roles, tenant],
    [200, 'oidc:ann', 'ann@example.com', ['approver'], 'default'],
  )
})

test('what the provider handed out is neither kept nor told', async (t) => {
  const it = await stage(t)
  const back = await it.browser.signInAs('ann', it.start)
  await landed(it, back)
  const kept = await it.served.runtime.store.listRecords('person_session', 'oidc:ann', { limit: 9 })
  assert.equal(kept.length, 1)
  const cookies = [...it.browser.cookies(it.start).values()]
  const written = JSON.stringify([kept, it.served.reports, cookies])
  const secrets = [...it.provider.secrets, CLIENT.clientSecret]
  assert.ok(secrets.length >= 3)
  for (const secret of secrets) assert.ok(!written.includes(secret))
})

test('whoever signs out is out here, and is told where to sign out there', async (t) => {
  const it = await stage(t)
  await landed(it, await it.browser.signInAs('ann', it.start))
  const { url } = it.served.server
  const cookie = [...it.browser.cookies(url)].map(([name, value]) => `${name}=${value}`).join('; ')
  const { csrf } = (await whoIs(it)).body
  const headers = { cookie, origin: url, 'rubicon-csrf': csrf }
  const response = await fetch(`${url}/v1/session`, { method: 'DELETE', headers })
  const body = JSON.parse(await response.text())
  assert.ok(body.provider.startsWith(`${it.provider.issuer}/session/end?client_id=rubicon`))
  assert.deepEqual(problemOf(await get({ url }, '/v1/session', { headers: { cookie } })), [
    401,
    'SIGNED_OUT',
  ])
})

test('whoever has no role here is not let in', async (t) => {
  const accounts = {
    staff: { ...ANN, groups: ['staff'] },
    none: { email: 'x@example.com' },
    odd: { groups: { managers: true } },
    near: { groups: ['Managers', 'managers '] },
  }
  for (const account of Object.keys(accounts)) {
    const it = await stage(t, { accounts })
    const back = await it.browser.signInAs(account, it.start)
    assert.equal(await landed(it, back), '/?sign_in_problem=ROLE_MISSING')
    assert.equal((await whoIs(it)).status, 401)
  }
})

test('an address of mail that nobody verified is not shown', async (t) => {
  const accounts = { ann: { ...ANN, email_verified: false } }
  const it = await stage(t, { accounts })
  await landed(it, await it.browser.signInAs('ann', it.start))
  assert.equal((await whoIs(it)).body.shown, 'oidc:ann')
})

test('an answer with another state, nonce, issuer or code lets nobody in', async (t) => {
  const changes: readonly (readonly [RegExp | null, (back: URL, it: Stage) => void])[] = [
    [/unexpected "state"/, (back) => back.searchParams.set('state', 'x'.repeat(43))],
    [/unexpected "iss"/, (back) => back.searchParams.set('iss', 'https://evil.example.com')],
    [/"iss" \(issuer\) missing/, (back) => back.searchParams.delete('iss')],
    [/error in the response body/, (back) => back.searchParams.set('code', 'x'.repeat(43))],
    [/is an error/, (back) => back.searchParams.set('error', 'access_denied')],
    [/unexpected ID Token "nonce"/, (_, it) => changeCookie(it, 2, 'n'.repeat(43))],
    [/error in the response body/, (_, it) => changeCookie(it, 3, 'v'.repeat(43))],
    // The provider is not even asked.
    [null, (_, it) => changeCookie(it, 0, 'other')],
    [null, (_, it) => it.browser.cookies(it.start).clear()],
  ]
  for (const [says, change] of changes) {
    const it = await stage(t)
    const back = new URL(await it.browser.signInAs('ann', it.start))
    change(back, it)
    assert.equal(await landed(it, back.href), REFUSED, String(says))
    assert.equal((await whoIs(it)).status, 401, String(says))
    if (says === null) assert.deepEqual(it.served.reports, [])
    else assert.match(it.served.reports.join('\n'), says)
  }
})

function changeCookie({ browser, start }: Stage, part: number, value: string): void {
  const jar = browser.cookies(start)
  const [name, kept = ''] = [...jar].find(([one]) => one.includes('sign-in')) ?? []
  assert.ok(name !== undefined)
  jar.set(name, kept.split('/').with(part, value).join('/'))
}

test('an answer counts once', async (t) => {
  const it = await stage(t)
  const back = await it.browser.signInAs('ann', it.start)
  const kept = new Map(it.browser.cookies(it.start))
  assert.equal(await landed(it, back), '/')
  assert.equal(await landed(it, back), REFUSED)
  const thief: Stage = { ...it, browser: new FormBrowser() }
  for (const [name, value] of kept) thief.browser.cookies(it.start).set(name, value)
  assert.equal(await landed(thief, back), REFUSED)
  assert.equal((await whoIs(thief)).status, 401)
})

test('a word that another has signed lets nobody in', async (t) => {
  const it = await stage(t, { idToken: 'forged' })
  assert.equal(await landed(it, await it.browser.signInAs('ann', it.start)), REFUSED)
  assert.match(it.served.reports.join('\n'), /signature verification failed/)
})

test('a word that has expired lets nobody in', async (t) => {
  const it = await stage(t, { idToken: 'expired' })
  assert.equal(await landed(it, await it.browser.signInAs('ann', it.start)), REFUSED)
  assert.match(it.served.reports.join('\n'), /unexpected JWT "exp" \(expiration time\)/)
})

test('a provider that is away, or is another, is not asked; a token still lets in', async (t) => {
  const fake = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: 'https://evil.example.com' }))
  }).listen(0, '127.0.0.1')
  await once(fake, 'listening')
  t.after(() => fake.close())
  const address = fake.address()
  assert.ok(typeof address === 'object' && address !== null)
  for (const port of [address.port, 1]) {
    const it = await stage(t, {}, { issuer: `http://127.0.0.1:${port}` })
    const response = await it.browser.visit(it.start)
    assert.equal(response.headers.get('location'), '/?sign_in_problem=SIGN_IN_UNAVAILABLE')
    const { token } = it.served.person('jane', 'auditor')
    const answer = await post(it.served.server, '/v1/session', { body: { token } })
    assert.equal(answer.status, 201)
  }
})

test('of an answer of the provider that does not end no more is read than one can be long', async (t) => {
  const block = Buffer.alloc(65_536, ' ')
  let left = 1_024
  const endless = createServer(async (_, response) => {
    response.setHeader('content-type', 'application/json')
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(block))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  t.after(() => endless.close())
  const address = endless.address()
  assert.ok(typeof address === 'object' && address !== null)
  const it = await stage(t, {}, { issuer: `http://127.0.0.1:${address.port}` })
  const response = await it.browser.visit(it.start)
  assert.equal(response.headers.get('location'), '/?sign_in_problem=SIGN_IN_UNAVAILABLE')
  assert.match(it.served.reports.join('\n'), /the answer of the provider is too long/)
  assert.ok(left > 0, 'all of it was read')
})

test('a browser is sent to places of ours only', async (t) => {
  for (const away of [
    '//evil.example.com',
    '/\\evil.example.com',
    'https://evil.example.com',
    'x',
  ]) {
    const it = await stage(t)
    const back = await it.browser.signInAs(
      'ann',
      `${it.start}?return_to=${encodeURIComponent(away)}`,
    )
    assert.equal(await landed(it, back), '/')
  }
})

test('without a provider there is nothing to sign in with but a token', async (t) => {
  const { server } = await served(t)
  assert.deepEqual((await get(server, '/v1/sign-in')).body, {
    token: true,
    oidc: null,
    session: null,
  })
  assert.deepEqual(problemOf(await get(server, START)), [404, 'ROUTE_UNKNOWN'])
  assert.deepEqual(problemOf(await get(server, `${START}/callback`)), [404, 'ROUTE_UNKNOWN'])
})

test('a person is let into the tenant that was asked for, if the provider names it', async (t) => {
  const globex = await served(t, { tenant: 'globex' })
  const people = { find: () => null, named: () => null, list: () => [] }
  const others = [{ engine: globex.runtime.engine, people }]
  const accounts = { ann: { ...ANN, tenants: ['globex'] }, ben: { ...ANN, tenants: ['default'] } }
  const it = await stage(t, { accounts }, { tenantClaim: 'tenants' }, { others })
  await landed(it, await it.browser.signInAs('ann', `${it.start}?tenant=globex`))
  const { body } = await whoIs(it)
  assert.deepEqual([body.name, body.tenant], ['oidc:ann', 'globex'])
  const kept = (tenant: Served): Promise<readonly object[]> =>
    tenant.runtime.store.listRecords('person_session', 'oidc:ann', { limit: 9 })
  assert.deepEqual([(await kept(globex)).length, (await kept(it.served)).length], [1, 0])
  for (const [account, tenant] of [
    ['ann', 'default'],
    ['ben', 'globex'],
    ['ann', 'initech'],
  ] as const) {
    const other = { ...it, browser: new FormBrowser() }
    const back = await other.browser.signInAs(account, `${it.start}?tenant=${tenant}`)
    assert.equal(await landed(other, back), REFUSED, `${account} in ${tenant}`)
  }
})

test('a provider that is no longer asked vouches for nobody', async (t) => {
  const it = await stage(t)
  await landed(it, await it.browser.signInAs('ann', it.start))
  const [[name = '', value = ''] = []] = [...it.browser.cookies(it.start)]
  const { engine } = it.served.runtime
  const parts = { people: createPeople(() => [], engine.context.sha256), host: '127.0.0.1' }
  const started = await startServer({ engine, ...parts, report: () => {} }, 0)
  assert.ok(started.ok)
  t.after(() => started.value.close())
  const cookie = `${name.replace(/[0-9]+$/, String(started.value.port))}=${value}`
  const answer = await get(started.value, '/v1/session', { headers: { cookie } })
  assert.deepEqual(problemOf(answer), [401, 'SIGNED_OUT'])
})

test('to be sent to the provider is counted, as every other knock of a stranger', async (t) => {
  const { server } = await served(t, { parts: { strangers: { perSecond: 0, atOnce: 1 } } })
  assert.equal(problemOf(await get(server, START))[0], 404)
  assert.deepEqual(problemOf(await get(server, START)), [429, 'RATE_LIMITED'])
})

test('only a provider that can be believed, and lets somebody in, is taken', () => {
  const good = { issuer: 'https://id.example.com', clientId: 'c', roles: ROLES, tenant: 'default' }
  assert.ok(checkOidc(good).ok)
  assert.ok(checkOidc({ ...good, issuer: 'http://127.0.0.1:9000/realm' }).ok)
  const bad: readonly Partial<OidcOptions>[] = [
    { issuer: 'http://id.example.com' },
    { issuer: 'ftp://id.example.com' },
    { issuer: 'https://user:password@id.example.com' },
    { issuer: 'no address' },
    { clientId: '' },
    { roles: {} },
    { roles: { operator: [] } },
  ]
  for (const change of bad) assert.ok(!checkOidc({ ...good, ...change }).ok, JSON.stringify(change))
})
