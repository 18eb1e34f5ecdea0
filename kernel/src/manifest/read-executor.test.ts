import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { listManifestPointers, parseManifest } from './parse-manifest.ts'

const HTTP: JsonObject = { method: 'POST', url: 'https://pay.example/', applied: [200] }
const COMMAND: JsonObject = { argv: ['/usr/bin/pay'], applied: [0] }

function buildManifest(executor: JsonObject): JsonObject {
  return {
    ...{ manifest: 'rubicon/tool/1', kind: 'PAY', version: '1', summary: 'pays' },
    params: { type: 'object', properties: {}, additionalProperties: false },
    ...{ effect: 'unsafe', reversible: false, risk: 'high' },
    executor,
  }
}

/** Where the first problem is, and what; null: there is none. */
function findProblem(executor: JsonObject): string | null {
  const parsed = parseManifest(buildManifest(executor))
  return parsed.ok ? null : parsed.error.summary
}

const http = (change: JsonObject): string | null => findProblem({ http: { ...HTTP, ...change } })
const command = (change: JsonObject): string | null =>
  findProblem({ command: { ...COMMAND, ...change } })

function refuses(problem: string | null, place: string): void {
  assert.ok(problem?.includes(`\`/executor/${place}\``), `${place}: ${problem}`)
}

const LONGEST = LIMITS.manifestTextLength
const NAME = LIMITS.identifierLength
const MOST = LIMITS.manifestList

function buildMap(length: number, value: JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length }, (_, at) => [`X-${at}`, value]))
}

test('an executor is one thing, and says nothing beside it', () => {
  assert.equal(findProblem({ http: HTTP }), null)
  refuses(findProblem({ http: HTTP, retries: 3 }), 'retries')
  for (const executor of [{}, { ftp: {} }, { http: HTTP, command: COMMAND }])
    assert.match(String(findProblem(executor)), /one of http, command, mcp, mcp_read, world/)
})

test('an executor that is no object is refused, and so is one that is unbounded', () => {
  for (const kind of ['http', 'command', 'mcp', 'mcp_read'])
    for (const value of [null, 7, 'x', []]) refuses(findProblem({ [kind]: value }), kind)
  for (const name of ['timeout_ms', 'max_bytes']) {
    refuses(http({ [name]: 0 }), `http/${name}`)
    refuses(command({ [name]: 0 }), `command/${name}`)
  }
})

test('texts in a request are bounded, and each has its place', () => {
  const url = `https://pay.example/${'a'.repeat(LONGEST)}`.slice(0, LONGEST)
  assert.equal(http({ url }), null)
  refuses(http({ url: `${url}a` }), 'http/url')
  refuses(http({ url: 7 }), 'http/url')
  const header = (name: string, value: JsonValue): string | null =>
    http({ headers: { [name]: value } })
  assert.equal(header('x'.repeat(NAME), 'a'), null)
  refuses(header('x'.repeat(NAME + 1), 'a'), `http/headers/${'x'.repeat(NAME + 1)}`)
  assert.equal(header('X', 'a'.repeat(LONGEST)), null)
  refuses(header('X', 'a'.repeat(LONGEST + 1)), 'http/headers/X')
  const around = (length: number): JsonObject => ({
    secret: 'key',
    format: `${'a'.repeat(length)}{secret}`,
  })
  assert.equal(header('X', around(LONGEST)), null)
  refuses(header('X', around(LONGEST + 1)), 'http/headers/X/format')
  refuses(header('X', { secret: 7 }), 'http/headers/X/secret')
  refuses(header('X', { secret: 'key', more: 1 }), 'http/headers/X/more')
  refuses(header('X', { secret: 'key', format: '{secret}{/order}' }), 'http/headers/X/format')
  assert.equal(http({ idempotency_header: 'X-Key' }), null)
  for (const name of [7, '', 'a b', 'Host'])
    refuses(http({ idempotency_header: name }), 'http/idempotency_header')
})

test('what is only read with GET and HEAD has neither body nor condition', () => {
  for (const method of ['GET', 'HEAD']) {
    assert.equal(http({ method }), null)
    assert.match(
      String(http({ method, body: {} })),
      new RegExp(`body\` does not belong to a ${method}`),
    )
    const if_match = { param: '/version' }
    assert.match(String(http({ method, if_match })), /if_match` does not belong to/)
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal(http({ method, body: { a: 1 }, if_match: { param: '/v' } }), null, method)
})

test('a literal condition may be sent, but not beside another one', () => {
  const headers = { 'If-Match': '*' }
  assert.equal(http({ headers }), null)
  refuses(http({ headers, if_match: { param: '/v' } }), 'http/if_match')
  refuses(http({ idempotency_header: 'if-match', if_match: { param: '/v' } }), 'http/if_match')
  refuses(
    http({ headers: { 'X-Key': 'a' }, idempotency_header: 'x-key' }),
    'http/idempotency_header',
  )
})

test('names in a query are printable, and what stands there is an expression', () => {
  const query = (name: string, value: JsonValue = { const: '1' }): string | null =>
    http({ query: { [name]: value } })
  assert.equal(query('a b~'), null)
  assert.match(String(query('')), /is no name in a query/)
  assert.match(String(query('ä')), /is no name in a query/)
  refuses(query('a', 'text'), 'http/query/a')
  refuses(http({ query: [] }), 'http/query')
})

test('a map has up to 64 members, none of which is a name of the language', () => {
  assert.equal(http({ headers: buildMap(MOST, 'a') }), null)
  assert.match(String(http({ headers: buildMap(MOST + 1, 'a') })), /has more than 64/)
  const own = JSON.parse('{"constructor": "a"}') as JsonObject
  assert.notEqual(http({ headers: JSON.parse('{"__proto__": "a"}') as JsonObject }), null)
  assert.match(String(command({ env: own })), /`constructor` is not allowed/)
})

test('a status is a whole number of its kind, and stands in one list', () => {
  assert.equal(http({ applied: [200, 599] }), null)
  for (const status of [199, 600, 200.5, '200', null])
    refuses(http({ applied: [status] }), 'http/applied')
  assert.equal(command({ applied: [0, 255] }), null)
  for (const status of [-1, 256]) refuses(command({ applied: [status] }), 'command/applied')
  for (const list of ['200', {}, 200]) refuses(http({ applied: list }), 'http/applied')
  refuses(http({ not_applied: [404, 404] }), 'http/not_applied')
  refuses(http({ not_applied: [404, 200] }), 'http/not_applied')
  refuses(http({ not_applied: [503], transient: [503, 404] }), 'http/transient')
  assert.equal(http({ not_applied: [404, 503], transient: [503] }), null)
  refuses(command({ applied: [] }), 'command/applied')
})

test('the result of a request is one place in what was answered', () => {
  for (const result of ['', '/a', '/a/0/b']) assert.equal(http({ result }), null, result)
  for (const result of ['a', '/a/*', 7]) refuses(http({ result }), 'http/result')
})

test('arguments are texts that a program can be given, or one parameter each', () => {
  const argv = (...others: readonly JsonValue[]): string | null =>
    command({ argv: ['/usr/bin/pay', ...others] })
  assert.equal(argv('a'.repeat(LONGEST), '', 'ä\n'), null)
  refuses(argv('a', 'b'.repeat(LONGEST + 1)), 'command/argv/2')
  refuses(argv('a\0'), 'command/argv/1')
  refuses(argv({ param: '/a/*' }), 'command/argv/1/param')
  refuses(argv({ param: 7 }), 'command/argv/1/param')
  refuses(argv({ param: '/a', or: '/b' }), 'command/argv/1/or')
  refuses(command({ argv: ['/usr/bin/p\u00e4y'] }), 'command/argv/0')
  refuses(command({ argv: [7] }), 'command/argv/0')
  refuses(command({ argv: {} }), 'command/argv')
})

test('variables are literal or a secret, under a name that a tool may set', () => {
  assert.equal(
    command({ env: { SHOP: 'tea', KEY: { secret: 'key' } }, idempotency_env: 'ID' }),
    null,
  )
  refuses(command({ env: { SHOP: 7 } }), 'command/env/SHOP')
  refuses(command({ env: { SHOP: '{/order}' } }), 'command/env/SHOP')
  refuses(command({ idempotency_env: 'PATH' }), 'command/idempotency_env')
  refuses(command({ stdin: { $: { fact: 'a' } } }), 'command/stdin/$/fact')
})

test('every parameter that is sent is named, wherever it stands', () => {
  const listPointers = (executor: JsonObject): readonly string[] => {
    const parsed = parseManifest(buildManifest(executor))
    assert.ok(parsed.ok, JSON.stringify(parsed))
    return listManifestPointers(parsed.value)
  }
  const sent = {
    url: 'https://pay.example/{/in-path}',
    query: { a: { param: '/in-query' } },
    body: [{ $: { param: '/in-body' } }],
    if_match: { param: '/in-condition' },
  }
  assert.deepEqual(listPointers({ http: { ...HTTP, ...sent } }), [
    ...['/in-body', '/in-condition', '/in-path', '/in-query'],
  ])
  const argv = ['/usr/bin/pay', { param: '/in-argument' }]
  const given = { argv, stdin: { $: { param: '/in-input' } } }
  assert.deepEqual(listPointers({ command: { ...COMMAND, ...given } }), [
    '/in-argument',
    '/in-input',
  ])
})

test('no tool says in a header where a request goes, where it ends, how it is read, or who is in between', () => {
  const names = [
    ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type'],
    ...['expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'via'],
    ...['forwarded', 'x-host', 'x-method-override', 'x-real-ip'],
    ...['proxy-connection', 'sec-fetch-mode', 'x-forwarded-for', 'x-original-url'],
    ...['x-rewrite-url', 'x-http-method-override', 'x-http-host-override'],
  ]
  for (const name of [...names, ...names.map((one) => one.toUpperCase())])
    assert.match(http({ headers: { [name]: 'a' } }) ?? '', /is not for a tool to say/, name)
  assert.equal(http({ headers: { 'x-hosts': 'a', teapot: 'b' } }), null)
})

test('a header is said once, in whatever case', () => {
  assert.notEqual(http({ headers: { 'X-Key': 'a', 'x-key': 'b' } }), null)
  assert.equal(http({ headers: { 'X-Key': 'a', 'x-keys': 'b' } }), null)
})
