/** Who can sign in, and the end of it; and what is served, for whoever may look. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRuntime, type Runtime } from '../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { issueToken } from '../../people/issue-token.ts'
import { withProvider } from '../../people/logins.test-support.ts'
import { changePeople } from '../../people/people-file.ts'
import type { PersonRole } from '../../people/principal.ts'
import { getPeoplePath } from '../../people/server-people.ts'
import { createTokenKeeper } from '../../people/token-keeper.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import { type Serving, serve } from '../serve.ts'
import { get, post, problemOf } from '../served.test-support.ts'

type Place = {
  readonly serving: Serving
  readonly olga: HttpPlace
  issue(name: string, roles: readonly PersonRole[], tenants?: readonly string[]): HttpPlace
}

async function open(tenant: string, folder: string): Promise<Runtime> {
  const runtime = await createRuntime({
    store: 'memory',
    tenant,
    stateDirectory: join(folder, tenant),
    background: false,
    report: () => {},
  })
  await runtime.start()
  return runtime
}

/** Two tenants, and an operator with a token for the first one. */
async function place(t: TestContext): Promise<Place> {
  const folder = temporaryFolder()
  const [one, two] = [await open('one', folder), await open('two', folder)]
  const person = { name: 'olga', roles: ['operator'] as const, tenants: ['one'] }
  const serving = await serve(one, { port: 0, person, others: [{ runtime: two }] })
  t.after(async () => {
    await one.close()
    await two.close()
  })
  const { url, token } = serving
  const issue: Place['issue'] = (name, roles, tenants = ['one']) => {
    const at = { stateDirectory: join(folder, 'one') }
    return { url, token: issueToken({ name, roles, tenants }, at).token }
  }
  return { serving, olga: { url, token: token ?? '' }, issue }
}

function revoke(who: HttpPlace, name: string, tenant = 'one'): Promise<HttpAnswer> {
  return ask(who, 'DELETE', `/v1/tokens/${name}`, { headers: { 'rubicon-tenant': tenant } })
}

test('tokens are listed without their hashes, and an end of one counts at once', async (t) => {
  const { olga, issue } = await place(t)
  const ann = issue('ann', ['approver'])
  assert.equal((await get(ann, '/v1/session')).status, 200)
  const { body } = await get(olga, '/v1/tokens')
  assert.deepEqual(body, {
    tokens: [
      { name: 'ann', roles: ['approver'], elsewhere: false, own: false },
      { name: 'olga', roles: ['operator'], elsewhere: false, own: true },
    ],
  })
  for (const who of [ann, issue('aud', ['auditor']), issue('feed', ['source'])])
    assert.deepEqual(problemOf(await revoke(who, 'olga')), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await get(ann, '/v1/tokens')), [403, 'ROLE_MISSING'])
  assert.equal((await revoke(olga, 'ann')).status, 200)
  assert.deepEqual(problemOf(await get(ann, '/v1/session')), [401, 'TOKEN_INVALID'])
  assert.deepEqual(problemOf(await revoke(olga, 'ann')), [404, 'TOKEN_UNKNOWN'])
})

test('the last token of an operator is not ended from here', async (t) => {
  const { olga, issue } = await place(t)
  assert.deepEqual(problemOf(await revoke(olga, 'olga')), [409, 'TOKEN_LAST'])
  const omar = issue('omar', ['operator'])
  assert.equal((await revoke(omar, 'olga')).status, 200)
  assert.deepEqual(problemOf(await get(olga, '/v1/tokens')), [401, 'TOKEN_INVALID'])
})

test('a token that is kept in a file of its own is not said to have ended', async (t) => {
  const folder = temporaryFolder()
  const runtime = await open('one', folder)
  t.after(() => runtime.close())
  const at = { stateDirectory: join(folder, 'one') }
  const token = 'kept-elsewhere-4711-0815-kept-elsewhere'
  const person = { name: 'olga', roles: ['operator'] as const, token }
  const { url } = await serve(runtime, { port: 0, person })
  // What the file has under her name is another one, and not the last.

  const file = getPeoplePath(at.stateDirectory)
  const old = ['olga', 'omar'].map((name) => {
    return { name, roles: ['operator' as const], token_hash: 'a'.repeat(64) }
  })
  changePeople(file, () => ({ ok: true, value: { people: old, value: null } }))
  assert.deepEqual(problemOf(await revoke({ url, token }, 'olga')), [404, 'TOKEN_UNKNOWN'])
  assert.equal(createTokenKeeper(file, ['one'], null).revoke('olga', 'one').ok, true)
})

test('of another tenant nothing is ended, and nothing is seen without the same token and a role there', async (t) => {
  const { olga, issue } = await place(t)
  const both = issue('both', ['auditor'], ['one', 'two'])
  issue('else', ['operator'], ['two'])
  assert.deepEqual(problemOf(await revoke(olga, 'else')), [404, 'TOKEN_UNKNOWN'])
  const named = ({ body }: HttpAnswer): readonly string[] =>
    body.tenants.map(({ name }: { name: string }) => name)
  assert.deepEqual(named(await get(olga, '/v1/tenants')), ['one'])
  assert.deepEqual(named(await get(both, '/v1/tenants')), ['one', 'two'])
  assert.deepEqual(problemOf(await get(issue('ann', ['approver']), '/v1/tenants')), [
    403,
    'ROLE_MISSING',
  ])
  assert.equal((await revoke(olga, 'both')).status, 200)
  const there = { headers: { 'rubicon-tenant': 'two' } }
  assert.equal((await get(both, '/v1/session', there)).status, 200)
  assert.notEqual((await get(both, '/v1/session')).status, 200)
})

test('a session is listed for those who may look, and ended by an operator', async (t) => {
  const { serving, olga, issue } = await place(t)
  const ann = issue('ann', ['approver'])
  const signedIn = await post({ url: serving.url }, '/v1/session', { body: { token: ann.token } })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const browser = { url: serving.url }
  const inBrowser = (): Promise<HttpAnswer> => get(browser, '/v1/session', { headers: { cookie } })
  assert.equal((await inBrowser()).status, 200)
  const { body } = await get(olga, '/v1/sessions')
  const [{ name, id, by, own }] = body.sessions
  assert.deepEqual([name, by, own, body.sessions.length], ['ann', 'token', false, 1])
  assert.ok(!cookie.includes(id))
  const path = `/v1/sessions/${name}/${id}`
  assert.deepEqual(problemOf(await ask(ann, 'DELETE', path)), [403, 'ROLE_MISSING'])
  assert.equal((await ask(olga, 'DELETE', path)).status, 200)
  assert.deepEqual(problemOf(await inBrowser()), [401, 'SIGNED_OUT'])
  assert.deepEqual(problemOf(await ask(olga, 'DELETE', path)), [404, 'SESSION_UNKNOWN'])
  assert.equal((await get(ann, '/v1/session')).status, 200)
})

test('somebody who came through the provider is listed, known to the registry or not, and ended', async (t) => {
  const more = { roles: { auditor: ['watchers'] } }
  const accounts = { eve: { groups: ['watchers'] }, ann: { groups: ['watchers'] } }
  const { stage, signedIn } = await withProvider(t, {}, more, accounts)
  const olga = stage.person('olga', 'operator')
  const eve = await signedIn('eve')
  await signedIn('ann')
  assert.equal((await eve('GET', '/v1/flows')).status, 200)
  const { body } = await get(olga, '/v1/sessions')
  const named = (body.sessions as readonly { name: string; id: string }[]).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  assert.deepEqual(
    named.map(({ name }) => name),
    ['oidc:ann', 'oidc:eve'],
  )
  const { name, id } = named[1] ?? assert.fail()
  const path = `/v1/sessions/${encodeURIComponent(name)}/${id}`
  assert.equal((await ask(olga, 'DELETE', path)).status, 200)
  assert.deepEqual(problemOf(await eve('GET', '/v1/flows')), [401, 'SIGNED_OUT'])
  assert.equal((await get(olga, '/v1/sessions')).body.sessions.length, 1)
})

test('a channel of one tenant is nobody’s in another', async (t) => {
  const { olga, issue } = await place(t)
  const other = issue('tina', ['operator'], ['two'])
  const settings = {
    place: { kind: 'webhook', url: 'https://hooks.example.com/' },
    ...{ tells: [], least: 'info', quiet_s: 0, paused: false },
  }
  assert.equal(
    (await post(olga, '/v1/channels', { body: { name: 'ops', ...settings } })).status,
    201,
  )
  const headers = { 'rubicon-tenant': 'two' }
  assert.deepEqual((await get(other, '/v1/channels', { headers })).body, { channels: [] })
  for (const [method, path] of [
    ['GET', '/v1/channels/ops'],
    ['DELETE', '/v1/channels/ops'],
  ] as const)
    assert.deepEqual(problemOf(await ask(other, method, path, { headers })), [
      404,
      'CHANNEL_UNKNOWN',
    ])
  assert.notEqual((await get(other, '/v1/channels/ops')).status, 200)
})
