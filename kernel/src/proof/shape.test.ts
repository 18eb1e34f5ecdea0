import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import {
  acceptAnything,
  address,
  base64,
  count,
  createEnumShape,
  createExactShape,
  createMapShape,
  createNullableShape,
  createOpenShape,
  createUnionShape,
  flag,
  hexHash,
  identifier,
  instant,
  listOf,
  object,
  type Shape,
  text,
} from './shape.ts'

const HASH = 'ab'.repeat(32)

test('each form takes its values and says of all others what it wants', () => {
  const cases: readonly (readonly [Shape, string, readonly JsonValue[], readonly JsonValue[]])[] = [
    [text, 'a text', ['', 'a'], [7, null, {}, []]],
    [flag, 'true or false', [true, false], ['true', 0, null]],
    [count, 'a count', [0, 1, 2 ** 53 - 1], [-1, 0.5, 2 ** 53, '1', null]],
    [object, 'an object', [{}, { a: 1 }], [[], null, 'a', 7]],
    [identifier, 'an identifier', ['a', 'a.b-1'], ['', 'a b', 7]],
    [address, 'an address', [`sha256:${HASH}`], [HASH, `sha256:${HASH}0`, 7]],
    [
      instant,
      'a time in UTC with milliseconds',
      ['2026-02-01T09:00:00.000Z'],
      ['2026-02-01T09:00:00Z', 7],
    ],
    [
      hexHash,
      'a hash in hex',
      [HASH],
      [`${HASH}0`, `x${HASH}`, HASH.slice(1), HASH.toUpperCase(), 7],
    ],
    [base64, 'base64', ['', 'AAAA'], ['A', '?', 7]],
    [createEnumShape(['a', 1]), 'one of a, 1', ['a', 1], ['b', '1', null]],
  ]
  for (const [shape, wants, good, bad] of cases) {
    for (const value of good) assert.equal(shape(value), undefined, JSON.stringify(value))
    for (const value of bad) assert.equal(shape(value), `is not ${wants}`, JSON.stringify(value))
  }
  for (const value of [null, 7, {}]) assert.equal(acceptAnything(value), undefined)
})

test('null is taken where it may stand, and in a union the first form that fits', () => {
  const nullable = createNullableShape(text)
  assert.deepEqual([null, 'a', 7].map(nullable), [undefined, undefined, 'is not a text'])
  const either = createUnionShape(text, flag)
  assert.deepEqual(['a', true, 7].map(either), [undefined, undefined, 'is not true or false'])
})

test('lists and maps are of one form, and the first member that is not is named', () => {
  const list = listOf(count)
  assert.deepEqual([[], [1, 2], [1, 'a', 'b'], {}].map(list), [
    ...[undefined, undefined, '`1` is not a count', 'is not a list'],
  ])
  const map = createMapShape(count)
  assert.deepEqual([{}, { a: 1 }, { a: 1, b: 'x', c: 'y' }, []].map(map), [
    ...[undefined, undefined, '`b` is not a count', 'is not an object'],
  ])
})

test('an exact form has the members that it needs, perhaps those that it may have, and no other', () => {
  const shape = createExactShape({ a: text, b: count }, { c: flag })
  const whole = { a: 'x', b: 1, c: true }
  assert.equal(shape(whole), undefined)
  assert.equal(shape({ a: 'x', b: 1 }), undefined)
  for (const [value, problem] of [
    [{ ...whole, b: '1' }, '`b` is not a count'],
    [{ a: 'x', b: 1, c: 7 }, '`c` is not true or false'],
    [{ ...whole, d: 1 }, 'has an unknown member `d`'],
    [{ a: 'x', b: 1, toString: 1 }, 'has an unknown member `toString`'],
    [{ a: 'x', c: true, d: 1 }, 'has no `b`'],
    [{ a: 'x', c: true }, 'has no `b`'],
    [{ b: 1 }, 'has no `a`'],
    [{}, 'has no `a`'],
    [[], 'is not an object'],
    [null, 'is not an object'],
  ] satisfies readonly (readonly [JsonValue, string])[])
    assert.equal(shape(value), problem, JSON.stringify(value))
  assert.equal(createExactShape({ a: text })({ a: 7 }), '`a` is not a text')
})

test('an open form has the members that it needs in their form, and any others', () => {
  const shape = createOpenShape({ a: text }, { c: flag })
  for (const value of [{ a: 'x' }, { a: 'x', c: true }, { a: 'x', d: 7 }])
    assert.equal(shape(value), undefined, JSON.stringify(value))
  for (const [value, problem] of [
    [{}, '`a` is missing'],
    [{ c: true }, '`a` is missing'],
    [{ a: 7 }, '`a` is not a text'],
    [{ a: 7, c: 7 }, '`a` is not a text'],
    [{ a: 'x', c: 7 }, '`c` is not true or false'],
    [[], 'is not an object'],
  ] satisfies readonly (readonly [JsonValue, string])[])
    assert.equal(shape(value), problem, JSON.stringify(value))
  const inherited = createOpenShape({ toString: acceptAnything })
  assert.equal(inherited({}), '`toString` is missing')
})
