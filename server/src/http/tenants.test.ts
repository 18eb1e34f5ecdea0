import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hashText } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime, type Runtime } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../demo/refunds.ts'
import { signIn } from '../people/browser.test-support.ts'
import { createPeople } from '../people/people.ts'
import { PERSON_ROLES } from '../people/principal.ts'
import { makeAgentKey, requestSigner, signHandshakeBody } from './agent-auth/agent-key.ts'
import { ask, type HttpAnswer, type HttpPlace } from './agent-auth/client.ts'
import { hear } from './events/hearing.test-support.ts'
import { createAllRoutes } from './routes/all.ts'
import type { Route } from './schemas/route.ts'
import { AGENT, freshKey, get, post, problemOf, refund } from './served.test-support.ts'
import { startServer } from './server.ts'
import type { ServerParts, TenantParts } from './server-parts.ts'

const CANARY = 'canary-of-globex'

type Tenant = {
  readonly runtime: Runtime
  readonly parts: TenantParts
  /** With all roles, and of the same name in both. */
  readonly person: HttpPlace
  readonly agent: () => Promise<HttpPlace>
}

async function tenantOf(t: TestContext, tenant: string, url: () => string): Promise<Tenant> {
  const stateDirectory = temporaryFolder()
  const capabilities = [refundCapability([])]
  const runtime = await createRuntime({
    store: 'memory',
    tenant,
    stateDirectory,
    capabilities,
    report: () => {},
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  const { engine } = runtime
  const token = `token-of-jane-in-${tenant}-${'x'.repeat(32)}`
  const jane = { name: 'jane', roles: PERSON_ROLES }
  const people = createPeople(
    () => [{ ...jane, token_hash: hashText(token, nodeCrypto.sha256) }],
    nodeCrypto.sha256,
  )
  return {
    runtime,
    parts: { engine, people },
    get person() {
      return { url: url(), token, tenant }
    },
    async agent() {
      const key = await makeAgentKey(engine, AGENT)
      assert.ok(key.ok)
      const body = await signHandshakeBody(engine, AGENT, key.value)
      const { status, body: said } = await post({ url: url(), tenant }, '/v1/agents/handshake', {
        body,
      })
      assert.equal(status, 200, JSON.stringify(said))
      const sign = requestSigner(engine, key.value)
      return { url: url(), token: said.session_token, tenant, sign }
    },
  }
}

type Two = { readonly acme: Tenant; readonly globex: Tenant; readonly url: string }

async function two(t: TestContext, more: Partial<ServerParts> = {}): Promise<Two> {
  let url = ''
  const acme = await tenantOf(t, 'acme', () => url)
  const globex = await tenantOf(t, 'globex', () => url)
  const host = '127.0.0.1'
  const parts = { ...acme.parts, others: [globex.parts], host, report: () => {}, ...more }
  const started = await startServer(parts, 0)
  assert.ok(started.ok)
  t.after(() => started.value.close())
  url = started.value.url
  return { acme, globex, url }
}

type Secrets = { readonly dfid: string; readonly escalation: string; readonly bot: HttpPlace }

/** Something to be seen in every corner of a tenant. */
async function fill({ agent, person }: Tenant, words: string): Promise<Secrets> {
  const bot = await agent()
  const body = { path: words, value: words }
  assert.equal((await post(person, '/v1/observations', { body })).status, 200)
  const { body: flow } = await post(bot, '/v1/flows', {
    body: { trigger: words },
    headers: freshKey(),
  })
  await post(bot, `/v1/flows/${flow.dfid}/notes`, { body: { text: words } })
  await post(bot, `/v1/flows/${flow.dfid}/explanations`, { body: { narrative: words } })
  const asked = await post(bot, `/v1/flows/${flow.dfid}/proposals`, {
    body: { ...refund(flow, '1200.00'), params: { order: 'o_3', amount: '1200.00' } },
  })
  assert.equal(asked.body.outcome, 'ESCALATED', JSON.stringify(asked.body))
  const { body: listed } = await get(person, '/v1/escalations')
  return { dfid: flow.dfid, escalation: listed.escalations[0].id, bot }
}

/** Every way to ask a route for what belongs to somebody. */
function questions(routes: readonly Route[], { dfid, escalation }: Secrets): readonly Question[] {
  return routes
    .filter(({ path, reply }) => reply !== 'events' && path !== '/v1/session')
    .flatMap(({ method, path, query }) => {
      const ids = path.includes('/escalations/') ? escalation : idOf(path, dfid)
      const filled = path.replace(/:[a-z_]+/, ids)
      const filters = query?.properties ?? {}
      const asked = 'dfid' in Object(filters) ? [filled, `${filled}?dfid=${dfid}`] : [filled]
      return asked.map((one) => ({ method, path: one }))
    })
}

type Question = { readonly method: Route['method']; readonly path: string }

function idOf(path: string, dfid: string): string {
  if (path.includes(':dfid')) return dfid
  if (path.includes('/executions/')) return `${dfid}:step`
  if (path.includes(':leaf')) return '5'
  return path.includes('/trajectories/') ? 'main' : AGENT
}

async function asks(place: HttpPlace, { method, path }: Question): Promise<HttpAnswer> {
  const body = method === 'GET' ? {} : { body: {} }
  return ask(place, method, path, { ...body, headers: freshKey() })
}

test('whatever is asked of one tenant, by people and agents, nothing of another is told', async (t) => {
  const { acme, globex } = await two(t)
  const secrets = await fill(globex, CANARY)
  const own = await fill(acme, 'plain')
  const routes = createAllRoutes({ ...acme.parts, host: '127.0.0.1', report: () => {} })
  const all = questions(routes, secrets)
  assert.ok(all.length >= 40)
  for (const question of all) {
    for (const place of [acme.person, own.bot]) {
      const { status, body } = await asks(place, question)
      const told = JSON.stringify(body)
      assert.ok(!told.includes(CANARY), `${question.method} ${question.path}: ${told}`)
      assert.ok(status < 500, `${question.method} ${question.path}: ${told}`)
    }
  }
  // There is something to be found, for whoever may look.
  const seen = []
  for (const question of all.filter(({ method }) => method === 'GET')) {
    const { body } = await asks(globex.person, question)
    if (JSON.stringify(body).includes(CANARY)) seen.push(question.path)
  }
  assert.ok(seen.length >= 6, seen.join())
})

test('the credentials of one tenant are nobody\u2019s in another, on every route', async (t) => {
  // So many are refused that whoever asks would have to wait.
  const strangers = { perSecond: 0, atOnce: 100_000 }
  const { acme, globex, url } = await two(t, { strangers })
  const secrets = await fill(globex, CANARY)
  const { cookie } = await signIn(acme.person, { 'rubicon-tenant': 'acme' })
  const routes = createAllRoutes({ ...acme.parts, host: '127.0.0.1', report: () => {} })
  const guarded = routes.filter(({ roles }) => roles !== 'anyone')
  const elsewhere: readonly (readonly [HttpPlace, string, Record<string, string>])[] = [
    [{ ...acme.person, tenant: 'globex' }, 'TOKEN_INVALID', {}],
    [{ ...(await acme.agent()), tenant: 'globex' }, 'SESSION_INVALID', {}],
    [{ ...secrets.bot, tenant: 'acme' }, 'SESSION_INVALID', {}],
    [{ url, tenant: 'globex' }, 'SIGNED_OUT', { cookie, origin: url }],
  ]
  for (const { method, path } of questions(guarded, secrets)) {
    for (const [place, code, headers] of elsewhere) {
      const body = method === 'GET' ? {} : { body: {} }
      const answer = await ask(place, method, path, { ...body, headers })
      assert.deepEqual(problemOf(answer), [401, code], `${method} ${path}`)
    }
  }
})

test('a tenant that is not there is named so, and a request that names none is for the first', async (t) => {
  const { acme, globex, url } = await two(t)
  const unknown = await get({ ...acme.person, tenant: 'initech' }, '/v1/flows')
  assert.deepEqual(problemOf(unknown), [404, 'TENANT_UNKNOWN'])
  const { tenant: _, ...unsaid } = acme.person
  assert.equal((await get(unsaid, '/v1/session')).body.tenant, 'acme')
  assert.equal((await get(globex.person, '/v1/session')).body.tenant, 'globex')
  const other = { url, token: globex.person.token ?? '' }
  assert.deepEqual(problemOf(await get(other, '/v1/flows')), [401, 'TOKEN_INVALID'])
})

test('a cookie says whose it is, so that pages need not', async (t) => {
  const { globex, url } = await two(t)
  const browser = await signIn(globex.person, { 'rubicon-tenant': 'globex' })
  assert.equal(browser.session.tenant, 'globex')
  const { body } = await get({ url }, '/v1/session', { headers: { cookie: browser.cookie } })
  assert.deepEqual(body, browser.session)
})

test('a key for asking again is a tenant\u2019s own', async (t) => {
  const { acme, globex } = await two(t)
  const headers = { 'idempotency-key': 'k1' }
  const open = (bot: HttpPlace): Promise<HttpAnswer> =>
    post(bot, '/v1/flows', { body: { trigger: 'x' }, headers })
  const [one, other] = [await open(await acme.agent()), await open(await globex.agent())]
  assert.deepEqual([one.status, other.status], [201, 201])
  assert.equal(other.headers.get('idempotent-replayed'), null)
  assert.notEqual(one.body.dfid, other.body.dfid)
})

test('a decision of another tenant, with the digest that was shown there, decides nothing', async (t) => {
  const { acme, globex } = await two(t)
  const { escalation } = await fill(globex, CANARY)
  const { body: shown } = await get(globex.person, `/v1/escalations/${escalation}`)
  const { intent_digest, shown_snapshot } = shown.request
  const body = { decision: 'ABORT', intent_digest, shown_snapshot, justification: 'x' }
  const path = `/v1/escalations/${escalation}/decision`
  const answer = await post(acme.person, path, { body, headers: freshKey() })
  assert.deepEqual(problemOf(answer), [404, 'ESCALATION_UNKNOWN'])
  const { body: still } = await get(globex.person, '/v1/escalations')
  assert.equal(still.escalations.length, 1)
})

test('nobody comments on a request of another tenant, or gives it to somebody', async (t) => {
  const { acme, globex } = await two(t)
  const { escalation } = await fill(globex, CANARY)
  const path = `/v1/escalations/${escalation}`
  const body = { text: 'let it through' }
  const said = await post(acme.person, `${path}/comments`, { body, headers: freshKey() })
  assert.deepEqual(problemOf(said), [404, 'ESCALATION_UNKNOWN'])
  const given = await post(acme.person, `${path}/claim`, { body: { for: 'ann' } })
  assert.equal(given.status >= 400, true, JSON.stringify(given.body))
  const { body: still } = await get(globex.person, `${path}/brief`)
  assert.deepEqual([still.comments, still.claimed], [[], null])
})

test('a stream hears its own tenant only', async (t) => {
  const { acme, globex } = await two(t)
  const hearing = await hear(acme.person, '', { 'rubicon-tenant': 'acme' })
  const { dfid } = await fill(globex, CANARY)
  const own = await fill(acme, 'plain')
  await hearing.said(own.dfid)
  hearing.hangUp()
  assert.ok(!hearing.text().includes(dfid))
})

test('a flood on one tenant leaves the same name in another unaffected', async (t) => {
  const rate = { perSecond: 0, atOnce: 5 }
  const { acme, globex } = await two(t, { rate, strangers: { perSecond: 0, atOnce: 5 } })
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => get(acme.person, '/v1/flows')),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  for (const _ of [1, 2, 3, 4, 5]) assert.equal((await get(globex.person, '/v1/flows')).status, 200)
  const guess = { ...acme.person, token: 'x'.repeat(40) }
  for (const _ of [1, 2, 3, 4, 5]) await get(guess, '/v1/flows')
  assert.deepEqual(problemOf(await get(guess, '/v1/flows')), [429, 'RATE_LIMITED'])
  // A handshake is a request of a stranger as well.
  assert.match((await globex.agent()).token ?? '', /^rbs_/)
})
