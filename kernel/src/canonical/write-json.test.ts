import assert from 'node:assert/strict'
import { test } from 'node:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { decodeUtf8 } from './bytes.ts'
import { anyJson, bare, reversedKeys } from './json.test-support.ts'
import type { JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'
import { toCanonicalBytes, toCanonicalText } from './write-json.ts'

test('what is written is read back the same', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const result = parseJson(toCanonicalBytes(value))
      assert(result.ok)
      assert.deepEqual(result.value, value)
      assert.equal(toCanonicalText(result.value), toCanonicalText(value))
    }),
  )
})

test('the text does not depend on the order of keys', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      assert.equal(toCanonicalText(reversedKeys(value)), toCanonicalText(value))
    }),
  )
})

test('another implementation writes the same text', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      assert.equal(toCanonicalText(value), canonicalize(value))
    }),
    { numRuns: 500 },
  )
})

test('keys are in order of UTF-16 units, in small objects and in large ones', () => {
  assert.equal(toCanonicalText({ '\ufb33': 1, '\u{1f600}': 2 }), '{"\u{1f600}":2,"\ufb33":1}')
  assert.equal(
    toCanonicalText({ b: 1, 10: 2, 9: 3, '': 4, a: 5, B: 6 }),
    '{"":4,"10":2,"9":3,"B":6,"a":5,"b":1}',
  )
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 20, maxLength: 40 }), (names) => {
      const object = bare(names.map((name) => [name, 0]))
      const members = names.toSorted().map((name) => `${JSON.stringify(name)}:0`)
      assert.equal(toCanonicalText(object), `{${members.join(',')}}`)
    }),
  )
})

test('numbers are written at their shortest, strings with the fewest escapes', () => {
  const numbers = [1e21, 1e-7, 333333333.3333333, 4.5, 0, -1, 123456789012345680000, 5e-324]
  assert.equal(
    toCanonicalText(numbers),
    '[1e+21,1e-7,333333333.3333333,4.5,0,-1,123456789012345680000,5e-324]',
  )
  assert.equal(
    toCanonicalText('\u0000\u001f\b\t\n\f\r"\\/\u007f\u2028é😀\ufffd'),
    '"\\u0000\\u001f\\b\\t\\n\\f\\r\\"\\\\/\u007f\u2028é😀\ufffd"',
  )
})

test('bytes are the UTF-8 of the text', () => {
  assert.equal(decodeUtf8(toCanonicalBytes(['é😀'])), '["é😀"]')
})

test('anything that is not JSON stops the writer', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  class Money {
    amount = 1
    toJSON(): number {
      return 2
    }
  }
  const wrong: readonly unknown[] = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    1n,
    Symbol('s'),
    () => 1,
    new Date(0),
    new Map(),
    new Money(),
    { toJSON: () => 1 },
    { a: undefined },
    new Array(1),
    Object.assign([1], { 2: 3 }),
    cycle,
    '\ud800',
    { '\udc00': 1 },
  ]
  for (const value of wrong) {
    const untyped: (value: never) => string = toCanonicalText
    assert.throws(() => Reflect.apply(untyped, undefined, [value]), /invariant broken/)
    assert.throws(() => Reflect.apply(untyped, undefined, [[{ a: value }]]), /invariant broken/)
  }
})

test('what we build may be deeper than what we read', () => {
  let deep: JsonValue = 1
  for (let i = 0; i < 512; i += 1) deep = [deep]
  assert.equal(toCanonicalText(deep).length, 2 * 512 + 1)
  assert.throws(() => toCanonicalText([deep]), /no cycle/)
})

test('what stands in order is written like what does not', () => {
  const inOrder = { a: { '1': 'x', '2': [{ b: 1, c: null }] }, b: [], c: 'é\n"' }
  const text = toCanonicalText(inOrder)
  assert.equal(text, '{"a":{"1":"x","2":[{"b":1,"c":null}]},"b":[],"c":"é\\n\\""}')
  const { a, ...rest } = inOrder
  assert.equal(toCanonicalText({ ...rest, a }), text)
  const { '2': two, ...one } = a
  assert.equal(toCanonicalText({ ...rest, a: { '2': two, ...one } }), text)
})

test('keys that JavaScript orders as numbers are ordered as text', () => {
  assert.equal(toCanonicalText({ '10': 1, '9': 2 }), '{"10":1,"9":2}')
  assert.equal(toCanonicalText({ deep: { '10': 1, '9': 2 } }), '{"deep":{"10":1,"9":2}}')
})

test('no `toJSON` is asked, also none that every object inherits', () => {
  const lying = { value: () => 'something else', configurable: true, enumerable: false }
  Object.defineProperty(Object.prototype, 'toJSON', lying)
  try {
    assert.equal(toCanonicalText({ a: [{ b: 1 }] }), '{"a":[{"b":1}]}')
  } finally {
    Reflect.deleteProperty(Object.prototype, 'toJSON')
  }
})

test('text that is to stand as it is, is written as the object that holds it', () => {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => JsonValue }
  for (const text of ['1.0', '-0', '1e400', '"\\ud800"']) {
    const raw = rawJSON(text)
    assert.equal(toCanonicalText({ a: raw }), toCanonicalText({ a: { rawJSON: text } }))
    assert.equal(
      toCanonicalText({ b: 1, a: [raw] }),
      toCanonicalText({ a: [{ rawJSON: text }], b: 1 }),
    )
  }
})
