/** What no client of ours would send. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { ask, type HttpPlace } from '../agent-auth/client.ts'
import { get, post, problemOf, served } from '../served.test-support.ts'

test('an address is asked by its own methods, and names them to whoever tries another', async (t) => {
  const { server, person } = await served(t)
  const jane = person('jane', 'operator')
  for (const [path, allow] of [
    ['/healthz', 'GET'],
    ['/v1/flows', 'POST, GET'],
    ['/v1/flows/abc/proposals', 'POST'],
    ['/v1/escalations/abc/decision', 'POST'],
  ] as const) {
    const wrong = allow.includes('GET') ? 'DELETE' : 'GET'
    const refused = await ask(jane, wrong, path)
    assert.deepEqual(problemOf(refused), [405, 'METHOD_NOT_ALLOWED'])
    assert.equal(refused.headers.get('allow'), allow)
  }
  // Nobody is asked who they are for it: the document is anybody's.
  assert.equal((await fetch(`${server.url}/v1/flows`, { method: 'PATCH' })).status, 405)
  const unknown = await fetch(`${server.url}/v1/nothing`, { method: 'DELETE' })
  assert.equal(unknown.status, 404)
})

test('HEAD and OPTIONS promise nothing, and let no other origin in', async (t) => {
  const { server } = await served(t)
  for (const method of ['HEAD', 'OPTIONS']) {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const response = await fetch(`${server.url}/v1/flows`, { method, headers })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'POST, GET')
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    if (method === 'HEAD') assert.equal(await response.text(), '')
  }
})

const FORMS: readonly string[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'text/json',
]

test('what a form on another page can post is not read, whatever route it aims at', async (t) => {
  const { person, runtime } = await served(t)
  const jane = person('jane', 'operator', 'approver')
  const before = await runtime.store.countLeaves()
  for (const path of ['/v1/observations', '/v1/escalations/abc/decision']) {
    for (const type of FORMS) {
      const body = '{"path":"a.b","source":"s","value":1}'
      const headers = { 'content-type': type, 'idempotency-key': 'k' }
      const refused = await post(jane, path, { body, headers })
      assert.deepEqual(problemOf(refused), [415, 'CONTENT_TYPE'], `${path} ${type}`)
    }
  }
  assert.equal(await runtime.store.countLeaves(), before)
})

test('a query says each thing once, and only what the route names', async (t) => {
  const { person } = await served(t)
  const jane = person('jane', 'auditor')
  for (const query of [
    'limit=1&limit=2',
    'state=ACTIVE&state=CLOSED',
    'agent=a&agent=a',
    'unknown=1',
    'limit=0',
    'limit=-1',
    'limit=10000',
    'limit=1e3',
    'limit=',
    'state=ACTIVE,',
    'state=active',
    'state=ACTIVE%20',
    'agent=%00',
    'agent=..%2F..',
    'since=yesterday',
    'since=2026-13-01T00:00:00Z',
    'until=2026-02-30',
    'tag=',
    '__proto__=1',
    'constructor=1',
  ]) {
    const refused = await get(jane, `/v1/flows?${query}`)
    assert.deepEqual([refused.status, refused.body.code], [422, 'SCHEMA_INVALID'], query)
  }
})

test('a member that the body does not have is named', async (t) => {
  const { person, agent } = await served(t)
  const jane = person('jane', 'operator')
  const bot = await agent()
  const headers = { 'idempotency-key': 'k' }
  const cases: readonly (readonly [HttpPlace, string, object])[] = [
    [bot, '/v1/flows', { trigger: 't', priority: 1 }],
    [jane, '/v1/flows/abc/notes', { text: 'a', label: 'trusted' }],
    [jane, '/v1/executions/a:b/resolution', { outcome: 'applied', by: 'somebody' }],
  ]
  for (const [place, path, body] of cases) {
    const refused = await post(place, path, { body, headers })
    assert.deepEqual(problemOf(refused), [422, 'SCHEMA_INVALID'], path)
    assert.ok(refused.body.meta.problems.length > 0)
  }
})

test('a depth of a million is refused by its size, and one that fits by its depth', async (t) => {
  const { person, runtime } = await served(t)
  const jane = person('jane', 'operator')
  const before = await runtime.store.countLeaves()
  const million = '['.repeat(1_000_000)
  const large = await post(jane, '/v1/observations', { body: million })
  assert.deepEqual(problemOf(large), [413, 'BODY_TOO_LARGE'])
  const small = await post(jane, '/v1/observations', { body: '['.repeat(200_000) })
  assert.deepEqual(problemOf(small), [400, 'JSON_DEPTH'])
  assert.equal(await runtime.store.countLeaves(), before)
})

test('a body that is announced as too large is refused before it has come', async (t) => {
  const { server, person } = await served(t)
  const { token } = person('jane', 'operator')
  const head = [
    'POST /v1/observations HTTP/1.1',
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 1048576',
  ]
  const answer = await heard(server.port, `${head.join('\r\n')}\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 413 /)
  assert.match(answer, /"code":"BODY_TOO_LARGE"/)
})

/** What comes back for these bytes, though nothing follows them. */
function heard(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
      if (!text.includes('}')) return
      socket.destroy()
      resolve(text)
    })
    socket.on('error', reject)
  })
}
