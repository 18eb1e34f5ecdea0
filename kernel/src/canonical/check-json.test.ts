import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkJson, type WriteRefusal } from './check-json.ts'
import { anyJson } from './json.test-support.ts'

function refusal(value: unknown): WriteRefusal {
  const result = checkJson(value)
  assert(!result.ok, 'accepted')
  return result.error
}

test('JSON comes back equal and as a copy without prototypes', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const result = checkJson(value)
      assert(result.ok)
      assert.deepEqual(result.value, value)
      if (typeof value === 'object' && value !== null) assert.notEqual(result.value, value)
    }),
  )
  const inner = { amount: 1 }
  const result = checkJson({ inner, list: [inner] })
  assert(result.ok)
  inner.amount = 1000
  assert.equal(JSON.stringify(result.value), '{"inner":{"amount":1},"list":[{"amount":1}]}')
  assert.equal(Object.getPrototypeOf(result.value), null)
})

test('what is not JSON is refused, never dropped or converted', () => {
  class Money {
    amount = 1
  }
  class List extends Array {}
  const wrong: readonly unknown[] = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1n,
    Symbol('s'),
    () => 1,
    new Date(0),
    new Map(),
    new Set(),
    new Uint8Array(2),
    new Money(),
    new List(),
    new String('a'),
    Object.create({ inherited: 1 }),
    { toJSON: () => 1 },
    new Array(3),
    new Array(4_000_000_000),
    Object.assign([1], { 2: 3 }),
    Object.assign([1], { extra: 2 }),
    { [Symbol('s')]: 1 },
    Object.defineProperty({}, 'hidden', { value: 1 }),
  ]
  for (const value of wrong) {
    assert.equal(refusal(value).code, 'VALUE_NOT_JSON')
    assert.equal(refusal({ a: [value] }).code, 'VALUE_NOT_JSON')
  }
  assert.match(JSON.stringify(refusal({ [Symbol('s')]: 1 })), /a symbol as a key/)
})

test('a key called toJSON with plain data is plain data', () => {
  assert(checkJson({ toJSON: 1 }).ok)
})

test('no code of the caller runs: getters are refused unread', () => {
  let calls = 0
  const counted = {
    get amount() {
      calls += 1
      return 1
    },
  }
  assert.deepEqual(refusal([counted]), {
    code: 'VALUE_NOT_JSON',
    path: '/0/amount',
    detail: 'a getter or setter',
  })
  assert.equal(refusal(Object.defineProperty([1], 0, { get: () => 1 })).path, '/0')
  assert.equal(calls, 0)
})

test('a proxy that throws is refused, not a crash', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  assert.equal(refusal(proxy).code, 'VALUE_NOT_JSON')
  const trap = new Proxy({ a: 1 }, { ownKeys: () => assert.fail('trap') })
  assert.equal(refusal({ deep: [trap] }).path, '/deep/0')
})

test('a value that contains itself is refused, one that is shared is copied twice', () => {
  const cycle: { self?: unknown } = {}
  cycle.self = [cycle]
  assert.deepEqual(refusal(cycle), {
    code: 'VALUE_NOT_JSON',
    path: '/self/0',
    detail: 'the value contains itself',
  })
  const shared = { a: 1 }
  assert(checkJson([shared, shared]).ok)
})

test('sharing cannot blow a small value up', () => {
  let doubled: unknown = 1
  for (let i = 0; i < 60; i += 1) doubled = [doubled, doubled]
  assert.match(refusal(doubled).detail, /more than 262144 values/)
  assert(checkJson(Array(262_143).fill(0)).ok)
  assert.match(refusal(Array(262_144).fill(0)).detail, /more than 262144 values/)
})

test('depth 64 is copied and depth 65 is not', () => {
  let deep: unknown = 1
  for (let i = 0; i < 64; i += 1) deep = i % 2 === 0 ? [deep] : { a: deep }
  assert(checkJson(deep).ok)
  assert.equal(refusal([deep]).code, 'JSON_DEPTH')
})

test('negative zero, half pairs and forbidden keys have codes of their own', () => {
  assert.equal(refusal(-0).code, 'JSON_NEGATIVE_ZERO')
  assert.equal(refusal(['a', '\ud800']).code, 'JSON_LONE_SURROGATE')
  assert.equal(refusal({ '\udc00': 1 }).code, 'JSON_LONE_SURROGATE')
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    assert.equal(refusal(JSON.parse(`{"a":{"${key}":1}}`)).code, 'JSON_FORBIDDEN_KEY')
  }
})

test('the path is a JSON Pointer', () => {
  assert.equal(refusal({ 'a/b': [{ 'c~d': undefined }] }).path, '/a~1b/0/c~0d')
  assert.equal(refusal({ a: [1, { b: 2 }], c: undefined }).path, '/c')
  assert.equal(refusal(undefined).path, '')
})

test('the copy keeps the order of its author, in which people are shown it', () => {
  const checked = checkJson({ b: 1, a: { d: 2, c: 3 } })
  assert.ok(checked.ok)
  assert.equal(JSON.stringify(checked.value), '{"b":1,"a":{"d":2,"c":3}}')
})
