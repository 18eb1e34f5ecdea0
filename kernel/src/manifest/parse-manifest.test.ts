import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { listManifestPointers, parseManifest } from './parse-manifest.ts'
import { REFUND, withRefund } from './refund.test-support.ts'

/** What is wrong, with its place. */
function problemOf(value: unknown): string {
  const parsed = parseManifest(value)
  return parsed.ok ? 'parsed' : parsed.error.summary
}

function refused(patch: JsonObject, wanted: RegExp): void {
  assert.match(problemOf(withRefund(patch)), wanted)
}

test('a manifest that says everything parses as itself', () => {
  const parsed = parseManifest(REFUND)
  assert.ok(parsed.ok, problemOf(REFUND))
  assert.equal(JSON.stringify(parsed.value), JSON.stringify(REFUND))
  assert.deepEqual(listManifestPointers(parsed.value), [
    '/account',
    '/amount',
    '/lines',
    '/lines/*',
    '/lines/*/count',
    '/lines/*/price',
    '/order',
  ])
})

/** Maps whose names are free; what is inside of them is strict again. */
const FREE = new Set([
  '/params',
  '/result',
  '/measures',
  '/scopes',
  '/jit_fields',
  '/sinks',
  '/accepts',
  '/cost',
  '/compensations',
  '/delta/0/value',
  '/delta/0/value/of',
  '/executor/http/query',
  '/executor/http/headers',
  '/executor/http/body',
])

function* placesOf(value: JsonValue, at = ''): Generator<string> {
  if (at.startsWith('/params/')) return
  if (isObject(value) && !FREE.has(at)) yield at
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) yield* placesOf(one, `${at}/${name}`)
}

test('an unknown member is refused by its name, wherever it stands', () => {
  const places = [...placesOf(REFUND)]
  assert.ok(places.length > 50)
  for (const place of places) {
    const changed = structuredClone(REFUND)
    const names = place.split('/').slice(1)
    const target = names.reduce<JsonValue>((value, name) => Object(value)[name], changed)
    Object.assign(Object(target), { unknown_member: 1 })
    const problem = problemOf(changed)
    assert.match(problem, /unknown_member|has other members beside/, `${place}: ${problem}`)
  }
})

test('every required member is missed by its name', () => {
  for (const name of [
    ...['manifest', 'kind', 'version', 'summary', 'params', 'effect', 'reversible', 'risk'],
    'executor',
  ])
    refused({ [name]: null }, new RegExp(`\`/${name}\` is missing`))
  refused({ manifest: 'rubicon/tool/2' }, /`\/manifest` must be/)
  refused({ params: { additionalProperties: true } }, /`\/params\/additionalProperties` must be/)
  refused({ params: { type: 'array' } }, /`\/params\/type` must be/)
})

test('kinds, names and pointers are what they say', () => {
  refused({ kind: 'RE FUND' }, /`\/kind` must be an identifier/)
  refused({ kind: 'COMPENSATE' }, /`\/kind` `COMPENSATE` is a reserved kind/)
  refused({ scopes: { accounts: 'account' } }, /`\/scopes\/accounts` .* write `\/account`/)
  refused({ sinks: { account: ['trusted'] } }, /`\/sinks\/account`/)
  refused({ sinks: { '/account': ['everybody'] } }, /`\/sinks\/~1account` must be a list of/)
  refused({ accepts: { 'fx.*': 'trusted' } }, /`\/accepts` /)
  refused({ measures: { 'two words': { const: 1 } } }, /is no name/)
  refused({ exposure: { measure: 'eur' } }, /`\/exposure\/measure` is none of its measures/)
  refused({ exposure: { threshold: 500 } }, /`\/exposure\/threshold` must be a decimal/)
  refused({ touches: 'none' }, /`\/touches` says nothing, and/)
  refused({ delta: [] }, /`\/delta` must not be empty/)
  refused({ compensations: { ALERT_HUMAN: { world: true } } }, /is the runtime’s/)
})

test('facts are read before, results after, and the status in a probe alone', () => {
  refused({ cost: { gold: { result: '/a' } } }, /`\/cost\/gold\/result` there is no result yet/)
  refused(
    { postcondition: [{ require: { eq: [{ fact: 'a' }, { const: 1 }] }, else: 'x' }] },
    /`\/postcondition\/0\/require\/eq\/0\/fact` no facts can be read here/,
  )
  refused(
    { postcondition: [{ require: { eq: [{ status: true }, { const: 1 }] }, else: 'x' }] },
    /in a probe alone/,
  )
  refused(
    { executor: { http: { body: [{ $: { fact: 'a' } }] } } },
    /`\/executor\/http\/body\/0\/\$\/fact` no facts/,
  )
  refused({ executor: { http: { query: { a: { result: '' } } } } }, /there is no result yet/)
  refused({ executor: { http: { body: { $: { const: 1 }, x: 1 } } } }, /beside `\$`/)
})

test('an effect class is backed by what it needs', () => {
  refused({ effect: 'queryable', probe: null, idempotency: null }, /`queryable` needs a `probe`/)
  refused({ effect: 'unsafe', idempotency: null }, /`\/effect` `unsafe` has no `probe`/)
  refused({ idempotency: null }, /`keyed` needs `idempotency`/)
  refused({ idempotency: { window_s: 0 } }, /`\/idempotency\/window_s`/)
  refused({ idempotency: { carrier: 'X-Key' } }, /`X-Key` is not what the executor sends/)
  refused({ executor: { http: { idempotency_header: null } } }, /it sends no key/)
  refused({ effect: 'read', idempotency: null }, /a tool that only reads changes nothing/)
  refused(
    { effect: 'read', idempotency: null, delta: null, executor: { http: { method: 'DELETE' } } },
    /`DELETE` is no read/,
  )
  refused({ probe: { executor: { http: { method: 'DELETE' } } } }, /a probe changes nothing/)
  refused({ probe: { executor: { http: null, world: true } } }, /`\/probe\/executor` asks nobody/)
})

test('what is sent again can be sent twice, and so can what takes it back', () => {
  const { REVERT } = REFUND.compensations as JsonObject
  const { idempotency_header: _, ...keyless } = Object(REVERT).http as JsonObject
  refused({ compensations: { REVERT: { http: { idempotency_header: null } } } }, /it sends none/)
  refused({ compensations: { CLOSE: { http: keyless } } }, /`\/compensations\/CLOSE` is sent again/)
  const conditional: JsonObject = { effect: 'put_if_match', probe: null, compensations: null }
  const if_match = { param: '/order' }
  const put = (method: string): string =>
    problemOf(withRefund({ ...conditional, executor: { http: { method, if_match } } }))
  assert.equal(put('PUT'), 'parsed')
  assert.equal(put('DELETE'), 'parsed')
  for (const method of ['POST', 'PATCH']) assert.match(put(method), /`put_if_match` is sent again/)
  const command = { argv: ['/usr/bin/pay'], applied: [0] }
  const by = { ...conditional, idempotency: null, executor: { http: null, command } }
  refused(by, /`put_if_match` is sent again/)
})

test('a conditional tool has no condition, so that what is sent again undoes what others wrote since', () => {
  const conditional: JsonObject = { effect: 'put_if_match', probe: null, compensations: null }
  const put = (http: JsonObject): JsonObject => ({
    ...conditional,
    executor: { http: { method: 'PUT', ...http } },
  })
  const if_match = { param: '/order' }
  assert.equal(problemOf(withRefund(put({ if_match }))), 'parsed')
  refused(put({}), /`\/executor` `put_if_match` needs `if_match`/)
  refused(put({ if_match: { fact: 'fx.usd' } }), /`\/executor\/http\/if_match/)
  refused(put({ if_match, headers: { 'IF-MATCH': '*' } }), /among the headers too/)
  refused(put({ if_match, idempotency_header: 'If-Match' }), /among the headers too/)
  refused({ probe: { executor: { http: { if_match } } } }, /does not belong to a GET request/)
})

test('a manifest is bounded as a whole', () => {
  const many = (length: number, build: (at: number) => JsonValue): JsonObject =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`m${at}`, build(at)]))
  refused({ measures: many(62, (at) => ({ fact: `f${at}` })) }, /reads over 64 facts/)
  const wide = { add: Array.from({ length: 100 }, () => ({ const: 1 })) }
  refused({ measures: many(11, () => wide) }, /over 1024 parts of expressions/)
  refused({ summary: 'x'.repeat(300_000) }, /more than 262144 bytes/)
  refused({ measures: many(63, () => ({ const: 1 })) }, /`\/measures` has more than 64/)
})

test('a change to World has a delta, and nothing outside', () => {
  const inside: JsonObject = {
    executor: { http: null, world: true },
    effect: 'put_if_match',
    idempotency: null,
    probe: null,
    result: null,
    compensations: null,
  }
  assert.equal(problemOf(withRefund(inside)), 'parsed')
  const worldly = (patch: JsonObject, wanted: RegExp): void =>
    refused({ ...inside, ...patch }, wanted)
  worldly({ delta: null }, /`world` needs a `delta`/)
  worldly({ result: {} }, /returns nothing/)
  worldly({ effect: 'unsafe' }, /held to versions/)
  worldly({ compensations: {} }, /reaches outside, and the effect did not/)
  worldly({ executor: { world: true } }, /`\/executor` must be an object with one of/)
  worldly({ executor: { http: null, world: false } }, /`\/executor\/world` must be `true`/)
})

test('an address has a literal host in one spelling, and a path that nothing can leave', () => {
  const url = (text: string): string => problemOf(withRefund({ executor: { http: { url: text } } }))
  for (const good of [
    'https://pay.example',
    'https://pay.example/',
    'http://127.0.0.1:8080/a/{/order}.json',
    'https://[::1]:443/a~b/{/order}-{/account}',
    'https://a:65535/',
    'https://a.0b1/',
  ])
    assert.equal(url(good), 'parsed', good)
  for (const bad of [
    ...['ftp://a/', 'file:///etc/passwd', '//a/', 'HTTPS://a/', 'https:/a', 'javascript:1', ''],
    ...[
      'https://u:p@a/',
      'https://a@b/',
      'https://{/order}/',
      'https://a.{/order}.b/',
      'https:///',
    ],
    ...['https://a./', 'https://A/', 'https://a..b/', 'https://-a/', 'https://ä/', 'https://a b/'],
    ...['https://a.0x7f/', 'https://0x1/', 'https://a:65536/', 'https://a:100000/'],
    ...['https://0x7f.1/', 'https://127.1/', 'https://2130706433/', 'https://0177.0.0.1/'],
    ...['https://a:0/', 'https://a:99999/', 'https://a:080/', 'https://a:/', 'https://[::1/'],
    ...['https://a/..', 'https://a/b/../c', 'https://a/./b', 'https://a//b', 'https://a/b\\c'],
    ...['https://a/%2e%2e', 'https://a/b%2fc', 'https://a/b?c=d', 'https://a/b#c', 'https://a/b;c'],
    ...['https://a/{order}', 'https://a/{/lines/*}', 'https://a/{/order', 'https://a/}'],
    ...['https://a/\r\nHost: b', 'https://a/\u0000', 'https://a/ä'],
  ])
    assert.match(url(bad), /`\/executor\/http\/url` /, bad)
})

test('headers are literal, and none that says where a request goes or ends', () => {
  const header = (name: string, value: JsonValue): string =>
    problemOf(withRefund({ executor: { http: { headers: { [name]: value } } } }))
  assert.equal(header('X-A', 'b'), 'parsed')
  assert.equal(header('X-A', { secret: 'a.b' }), 'parsed')
  const reserved =
    'Host content-length Transfer-Encoding accept-encoding connection content-encoding content-type ' +
    'expect keep-alive te trailer upgrade via Proxy-Auth Sec-Fetch-Mode'
  for (const name of [...reserved.split(' '), 'a b', '', 'ä:'])
    assert.match(header(name, 'x'), /is no name of a header|is not for a tool to say/, name)
  for (const value of ['a\r\nb', 'ä', '{/order}', '{secret}', 1, { secret: 'a b' }, {}])
    assert.notEqual(header('X-A', value as JsonValue), 'parsed', JSON.stringify(value))
  for (const format of ['Bearer', '{secret}{secret}', '\n{secret}', 1])
    assert.match(header('X-A', { secret: 'a', format }), /format/)
  assert.match(header('authorization', 'x'), /stands here twice/)
  assert.match(header('idempotency-KEY', 'x'), /stands among `headers` too/)
})

test('each status means one thing', () => {
  const http = (patch: JsonObject): string => problemOf(withRefund({ executor: { http: patch } }))
  assert.match(http({ applied: [] }), /must name one at least/)
  assert.match(http({ applied: null }), /`\/executor\/http\/applied` is missing/)
  assert.match(http({ applied: [200, 200] }), /distinct/)
  assert.match(http({ applied: [99] }), /from 200 to 599/)
  assert.match(http({ not_applied: [200] }), /stands in `applied` too/)
  assert.match(http({ transient: [404] }), /not in `not_applied`/)
  assert.match(http({ method: 'GET' }), /does not belong to a GET/)
  assert.match(http({ method: 'CONNECT' }), /`\/executor\/http\/method` must be one of/)
  assert.match(http({ timeout_ms: 700_000 }), /more than 600000/)
  assert.match(http({ max_bytes: 0 }), /max_bytes/)
  assert.match(http({ result: 'refund' }), /must be a JSON pointer/)
})

test('a command starts one literal program, and no shell', () => {
  const command = (patch: JsonObject): string =>
    problemOf(
      withRefund({
        effect: 'unsafe',
        idempotency: null,
        probe: null,
        executor: { http: null, command: { argv: ['/usr/bin/pay'], applied: [0], ...patch } },
      }),
    )
  assert.equal(command({ argv: ['/usr/bin/pay', '--to', { param: '/account' }] }), 'parsed')
  assert.equal(command({ argv: ['/usr/bin/python3.12', '/opt/pay.py'] }), 'parsed')
  const longest = Array.from({ length: 64 }, () => '/usr/bin/pay')
  assert.equal(command({ argv: longest }), 'parsed')
  assert.notEqual(command({ argv: [...longest, 'x'] }), 'parsed')
  for (const argv of [
    [],
    ['pay'],
    ['./pay'],
    ['/usr/bin/../bin/pay'],
    ['/usr//bin/pay'],
    ['/bin/sh', '-c', 'pay'],
    ['/bin/bash'],
    ['/usr/bin/env', 'pay'],
    ['/usr/bin/python3', '-c', 'pay()'],
    ['/usr/bin/node', '--eval=1'],
    ['/usr/bin/perl', '-ne', '1'],
    [{ param: '/account' }],
    ['/usr/bin/pay', { param: '/lines/*' }],
    ['/usr/bin/pay', { param: '/account', more: 1 }],
    ['/usr/bin/pay', 1],
    ['/usr/bin/pay', 'a\u0000b'],
    'pay',
  ])
    assert.match(command({ argv }), /`\/executor\/command\/argv/, JSON.stringify(argv))
  const loaders =
    'LD_PRELOAD DYLD_X BASH_ENV GIT_X NODE_OPTIONS NPM_X PYTHONPATH PERL5LIB RUBYOPT JAVA_X _JAVA_OPTIONS JDK_X LUA_X ' +
    'PHP_X GCONV_X GLIBC_X MALLOC_X OPENSSL_X RUBICON_X SHELLOPTS PATH ENV IFS PS4 EDITOR PAGER HOME'
  for (const name of [...loaders.split(' '), 'a', '1A', 'A-B'])
    assert.match(command({ env: { [name]: 'x' } }), /`\/executor\/command\/env/, name)
  assert.equal(command({ env: { TOKEN: { secret: 'pay' } } }), 'parsed')
  assert.match(command({ shell: true }), /`\/executor\/command\/shell` is not a known field/)
  assert.match(command({ applied: [256] }), /from 0 to 255/)
})

test('all that is wrong is told, the first of it in the summary', () => {
  const parsed = parseManifest(withRefund({ kind: '?', risk: 'none' }))
  assert.ok(!parsed.ok && parsed.error.code === 'MANIFEST_INVALID')
  assert.equal(Array(parsed.error.meta?.problems).flat().length, 2)
  assert.equal(parsed.error.meta?.pointer, '/kind')
})

test('property: nothing that anybody sends makes it throw', () => {
  const places = [...placesOf(REFUND)]
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.anything(), fc.string(), (place, value, name) => {
      parseManifest(value)
      const changed = structuredClone(REFUND)
      const names = place.split('/').slice(1)
      const target = names.reduce<JsonValue>((at, one) => Object(at)[one], changed)
      const member = fc.sample(fc.constantFrom(name, ...Object.keys(Object(target))), 1)[0] ?? ''
      Object.defineProperty(Object(target), member, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
      parseManifest(changed)
    }),
    { numRuns: 1_000 },
  )
})

test('a manifest in which something is undecided is refused by what it is, whatever else it says', () => {
  refused({ undecided: ['risk', 'scopes'] }, /undecided` names risk, scopes: decide each/)
  for (const undecided of [[], null, 'risk', {}, [1], ['\u001b[2J']])
    assert.match(problemOf({ ...REFUND, undecided }), /undecided` names something: decide each/)
})
