import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createAgentHeaders,
  createAgentKey,
  createClient,
  signHandshake,
  signKeyRegistration,
} from 'rubicon-agents'
import { AGENT, get, served } from '../served.test-support.ts'

/** Answers with this, and remembers what it was asked. */
function answering(status: number, type: string, body: string) {
  const asked: { url: string; init: RequestInit }[] = []
  const fetching = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    asked.push({ url: String(url), init })
    return new Response(body, { status, headers: { 'content-type': type } })
  }
  return { asked, fetch: fetching as typeof fetch }
}

test('a client lists, opens and reads what the runtime has', async (t) => {
  const it = await served(t)
  const jane = it.person('jane', 'auditor')
  const flow = await it.open(await it.agent())
  const headers = () => ({ authorization: `Bearer ${jane.token}` })
  const client = createClient({ url: it.server.url, headers })
  const listed = await client.listFlows({ query: { state: 'ACTIVE', limit: '10' } })
  assert.ok(listed.ok)
  assert.deepEqual(
    listed.body.flows.map(({ dfid }) => dfid),
    [flow.dfid],
  )
  const shown = await client.getFlow({ params: { dfid: flow.dfid } })
  assert.deepEqual(shown.ok && shown.body, (await get(jane, `/v1/flows/${flow.dfid}`)).body)
})

test('an agent elsewhere has its key registered, shakes hands and works, by its package alone', async (t) => {
  const it = await served(t)
  const { url } = it.server
  const { token } = it.person('olga', 'operator')
  const olga = createClient({ url, headers: () => ({ authorization: `Bearer ${token}` }) })
  const key = await createAgentKey()
  const added = await olga.registerKey({ body: await signKeyRegistration(key, AGENT), key: 'k-1' })
  assert.deepEqual(added.ok && added.body.key_id, key.key_id)
  const place = { tenant: it.runtime.engine.context.tenant, audience: 'rubicon' }
  const body = await signHandshake(key, place, { agent: AGENT })
  const greeted = await createClient({ url }).shakeHands({ body })
  assert.ok(greeted.ok, JSON.stringify(greeted))
  const headers = createAgentHeaders({ url, token: greeted.body.session_token, key })
  const bot = createClient({ url, headers })
  const opened = await bot.openFlow({ body: { trigger: 'ticket' }, key: 'k-2' })
  assert.ok(opened.ok, JSON.stringify(opened))
  const listed = await bot.listFlows({ query: { limit: '10' } })
  assert.deepEqual(listed.ok && listed.body.flows.map(({ dfid }) => dfid), [opened.body.dfid])
})

test('a refusal is an answer, with its code', async (t) => {
  const it = await served(t)
  const { token } = it.person('jane', 'operator')
  const headers = () => ({ authorization: `Bearer ${token}` })
  const client = createClient({ url: it.server.url, headers })
  const unknown = await client.getFlow({ params: { dfid: 'nothing' } })
  assert.deepEqual(!unknown.ok && [unknown.problem.status, unknown.problem.code], [
    404,
    'FLOW_UNKNOWN',
  ])
})

test('a runtime that is not there is an answer as well', async (t) => {
  const it = await served(t)
  await it.close()
  const gone = await createClient({ url: it.server.url }).getHealth()
  assert.equal(!gone.ok && gone.problem.code, 'SERVER_UNREACHABLE')
  assert.match(gone.ok ? '' : gone.problem.detail, /ECONNREFUSED 127\.0\.0\.1/)
})

test('what answers in the place of the runtime is not taken for it', async () => {
  for (const [status, type, body] of [
    [200, 'text/html', '<p>sign in here</p>'],
    [502, 'text/html', 'bad gateway'],
    [200, 'application/json', '{"status":'],
    [500, 'application/problem+json', 'oops'],
  ] as const) {
    const { fetch } = answering(status, type, body)
    const answer = await createClient({ fetch }).getHealth()
    assert.equal(!answer.ok && answer.problem.code, 'ANSWER_UNREADABLE', `${status} ${type}`)
    assert.equal(!answer.ok && answer.problem.status, status)
  }
})

test('names go into the path escaped, members into the query, the key into its header', async () => {
  const { asked, fetch } = answering(200, 'application/json', '{}')
  const signed: string[] = []
  const client = createClient({
    fetch,
    headers: async ({ method, path, body }) => {
      signed.push(`${method} ${path} ${body ?? ''}`)
      return { 'rubicon-csrf': 'word' }
    },
  })
  await client.resolveExecution({
    params: { id: 'a/b?c#d' },
    body: { outcome: 'abandon', evidence: {}, justification: 'x' },
    key: 'k1',
  })
  await client.listFlows({ query: { agent: 'a&b=c', parent: undefined } })
  assert.deepEqual(
    asked.map(({ url }) => url),
    ['/v1/executions/a%2Fb%3Fc%23d/resolution', '/v1/flows?agent=a%26b%3Dc'],
  )
  assert.deepEqual(asked[0]?.init.headers, {
    'content-type': 'application/json',
    'idempotency-key': 'k1',
    'rubicon-csrf': 'word',
  })
  assert.deepEqual(asked[1]?.init.headers, { 'rubicon-csrf': 'word' })
  assert.match(signed[0] ?? '', /^POST \/v1\/executions\/a%2Fb%3Fc%23d\/resolution \{"outcome"/)
  assert.equal(signed[1], 'GET /v1/flows?agent=a%26b%3Dc ')
})

test('text is handed over as text', async () => {
  const text = answering(200, 'text/plain; charset=utf-8', 'up 1\n')
  const metrics = await createClient({ fetch: text.fetch }).getMetrics()
  assert.deepEqual(metrics.ok && metrics.body, 'up 1\n')
})
