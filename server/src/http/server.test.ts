import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { StoreError } from '../../../runtime/src/ports/store.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { get, post, problemOf, served } from './served.test-support.ts'

test('the health of the process is anybody\u2019s to ask', async (t) => {
  const { server } = await served(t)
  const up = await get(server, '/healthz')
  assert.deepEqual([up.status, up.body], [200, { status: 'up' }])
  const ready = await get(server, '/readyz')
  assert.deepEqual([ready.status, ready.body], [200, { ready: true, problems: [] }])
})

test('a runtime that does nothing by itself is not ready, and says why', async (t) => {
  const { server } = await served(t, { background: false })
  const { status, body } = await get(server, '/readyz')
  assert.equal(status, 503)
  assert.deepEqual(
    [body.ready, body.problems.map(({ code }: { code: string }) => code)],
    [false, ['BACKGROUND_STOPPED']],
  )
})

test('a ledger that does not reach its last checkpoint is no ground to decide on', async (t) => {
  const store = `sqlite:${temporaryFolder()}/rubicon.db`
  const { server, runtime } = await served(t, { store })
  await runtime.engine.checkpoint()
  const rolledBack = t.mock.method(runtime.store, 'countLeaves', async () => 1)
  const { status, body } = await get(server, '/readyz')
  rolledBack.mock.restore()
  assert.equal(status, 503)
  assert.deepEqual(
    body.problems.map(({ code }: { code: string }) => code),
    ['LEDGER_ROLLBACK'],
  )
})

test('a store that does not answer is no reason to be ready, and its words stay inside', async (t) => {
  const { server, runtime } = await served(t)
  const failing = t.mock.method(runtime.store, 'countLeaves', async () => {
    throw new StoreError('STORE_ERROR', 'host db.internal refused', 'start it')
  })
  const { status, body } = await get(server, '/readyz')
  failing.mock.restore()
  assert.equal(status, 503)
  assert.deepEqual(body.problems, [{ code: 'STORE_ERROR', summary: 'the store does not answer' }])
})

test('an agent shakes hands, opens a flow, proposes, and gets verdicts as 200', async (t) => {
  const { agent, open, propose, calls } = await served(t)
  const bot = await agent()
  const flow = await open(bot)
  const accepted = await propose(bot, flow)
  assert.equal(accepted.status, 200)
  assert.deepEqual(
    [accepted.body.outcome, accepted.body.execution.result],
    ['ACCEPTED', { refund: 're_1' }],
  )
  const repeated = await propose(bot, flow)
  assert.deepEqual([repeated.status, repeated.body.outcome], [200, 'REPEATED'])
  const large = await open(bot)
  const params = { order: 'o_2', amount: '20000.00' }
  const rejected = await propose(bot, large, { params })
  assert.deepEqual(
    [rejected.status, rejected.body.outcome, rejected.body.reason_code],
    [200, 'REJECTED', 'LIMIT_EXCEEDED'],
  )
  assert.equal(calls.length, 1)
})

test('what is not there is a problem with a code, and every answer carries the headers', async (t) => {
  const { server } = await served(t)
  for (const path of ['/v1', '/v1/flows/a/b', '/assets/x.js', '/docs/nowhere', '/v1/%ff']) {
    const answer = await get(server, path)
    assert.equal(problemOf(answer)[0], path === '/v1/%ff' ? 400 : 404, path)
  }
  const wrongMethod = await post(server, '/healthz', { body: {} })
  assert.deepEqual(problemOf(wrongMethod), [405, 'METHOD_NOT_ALLOWED'])
  const { headers } = await get(server, '/healthz')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal(headers.get('x-powered-by'), null)
})

test('nobody gets in without a token, with another one, or with half of one', async (t) => {
  const { server, person } = await served(t)
  const { url } = server
  const jane = person('jane', 'auditor')
  assert.deepEqual(problemOf(await get({ url }, '/v1/flows')), [401, 'TOKEN_MISSING'])
  const basic = { headers: { authorization: 'Basic amFuZTpqYW5l' } }
  assert.deepEqual(problemOf(await get({ url }, '/v1/flows', basic)), [401, 'TOKEN_INVALID'])
  for (const token of ['', 'x', jane.token?.slice(0, -1) ?? '', `${jane.token}x`])
    assert.deepEqual(problemOf(await get({ url, token }, '/v1/flows')), [401, 'TOKEN_INVALID'])
  const session = `rbs_${'A'.repeat(43)}`
  assert.deepEqual(problemOf(await get({ url, token: session }, '/v1/flows')), [
    401,
    'SESSION_INVALID',
  ])
  assert.equal((await get(jane, '/v1/flows')).status, 200)
})

test('roles are kept apart', async (t) => {
  const { person, agent, open } = await served(t)
  const auditor = person('ann', 'auditor')
  const bot = await agent()
  const { dfid } = await open(bot)
  const path = `/v1/flows/${dfid}/cancellation`
  const body = { reason: 'no' }
  assert.deepEqual(problemOf(await post(auditor, path, { body })), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await get(bot, '/v1/agents')), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await get(bot, '/metrics')), [403, 'ROLE_MISSING'])
  const operator = person('olga', 'operator')
  const asPerson = await post(operator, `/v1/flows/${dfid}/proposals`, { body: {} })
  assert.deepEqual(problemOf(asPerson), [403, 'ROLE_MISSING'])
  assert.equal((await post(operator, path, { body })).status, 200)
})

test('a request that names another host is not ours', async (t) => {
  const { server } = await served(t)
  const asked = async (host: string): Promise<number> => {
    const { port } = server
    const options = { host: '127.0.0.1', port, path: '/healthz', headers: { host } }
    const sent = request(options).end()
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }
  assert.equal(await asked(`127.0.0.1:${server.port}`), 200)
  assert.equal(await asked('localhost'), 200)
  assert.equal(await asked(`[::1]:${server.port}`), 200)
  assert.equal(await asked('rubicon.example.com'), 421)
  assert.equal(await asked('127.0.0.1.example.com'), 421)
})

test('whoever asks too much waits, and nobody else does', async (t) => {
  const rate = { perSecond: 0, atOnce: 2 }
  const { person } = await served(t, { parts: { rate } })
  const [jane, john] = [person('jane', 'auditor'), person('john', 'auditor')]
  assert.equal((await get(jane, '/v1/flows')).status, 200)
  assert.equal((await get(jane, '/v1/flows')).status, 200)
  const third = await get(jane, '/v1/flows')
  assert.deepEqual(problemOf(third), [429, 'RATE_LIMITED'])
  assert.equal(third.headers.get('retry-after'), '1')
  assert.equal((await get(john, '/v1/flows')).status, 200)
})

test('whoever guesses tokens or shakes hands too often waits; health is free', async (t) => {
  const strangers = { perSecond: 0, atOnce: 2 }
  const { server, person } = await served(t, { parts: { strangers } })
  const guess = { url: server.url, token: 'x' }
  const hello = { body: { agent: 'nobody' } }
  for (const status of [401, 401, 429])
    assert.equal(problemOf(await get(guess, '/v1/flows'))[0], status)
  for (const status of [403, 403, 429])
    assert.equal(problemOf(await post(server, '/v1/agents/handshake', hello))[0], status)
  assert.equal((await get(server, '/healthz')).status, 200)
  assert.equal((await get(person('jane', 'auditor'), '/v1/flows')).status, 200)
})

test('what is not announced as JSON is not read', async (t) => {
  const { person } = await served(t)
  const jane = person('jane', 'operator')
  const headers = { 'content-type': 'text/plain' }
  const answer = await post(jane, '/v1/observations', { body: '{}', headers })
  assert.deepEqual(problemOf(answer), [415, 'CONTENT_TYPE'])
})

test('what nobody foresaw is told to the log, and not to whoever asked', async (t) => {
  const { person, runtime, reports } = await served(t)
  const jane = person('jane', 'auditor')
  t.mock.method(runtime.store, 'listFlowSummaries', async () => {
    throw new TypeError('the secret is 4711')
  })
  const answer = await get(jane, '/v1/flows')
  assert.deepEqual(problemOf(answer), [500, 'BUG'])
  assert.ok(!JSON.stringify(answer.body).includes('4711'))
  assert.match(reports.join('\n'), /GET \/v1\/flows failed: TypeError: the secret is 4711/)
})

test('a store that fails is 503, with its code and when to ask again', async (t) => {
  const { person, runtime } = await served(t)
  const jane = person('jane', 'auditor')
  t.mock.method(runtime.store, 'listFlowSummaries', async () => {
    throw new StoreError('STORE_FULL', 'the disk is full', 'make room')
  })
  const answer = await get(jane, '/v1/flows')
  assert.deepEqual(problemOf(answer), [503, 'STORE_FULL'])
  assert.deepEqual([answer.body.fix, answer.headers.get('retry-after')], ['make room', '1'])
})

test('bytes that are no HTTP get one answer and no connection', async (t) => {
  const { server } = await served(t)
  const socket = connect(server.port, '127.0.0.1')
  socket.end('HELLO THERE\r\n\r\n')
  let said = ''
  for await (const chunk of socket) said += chunk
  assert.match(said, /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/)
  assert.match(said, /"code":"REQUEST_INVALID"/)
})
