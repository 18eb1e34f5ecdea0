import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { Comparison } from './same-json.ts'

const { compared: MOST } = LIMITS.manifestExpression
/** What a value costs, whatever it is, and a number. */
const VALUE = 8
const NUMBER = 128

function isSame(a: unknown, b: unknown): boolean | undefined {
  return new Comparison().isSame(a as never, b as never)
}

test('a text is compared as long as there is room for all of it', () => {
  const long = 'x'.repeat(MOST - VALUE)
  assert.equal(isSame(long, `${long}`), true)
  assert.equal(isSame(`${long}x`, `${long}x`), undefined)
  assert.equal(isSame(`${long}x`, long), false, 'of another length, nothing has to be compared')
})

test('what was compared before takes room from what is compared after it', () => {
  const comparison = new Comparison()
  const text = 'x'.repeat(MOST - 2 * VALUE)
  assert.equal(comparison.isSame(text, text), true)
  assert.equal(comparison.isSame(null, null), true, 'there is room for one more value')
  assert.equal(comparison.isSame(null, null), undefined)
  assert.equal(comparison.countNumber(), false)
})

test('every element and every member takes room', () => {
  const full = MOST / VALUE
  const list = (length: number): null[] => Array.from({ length }, () => null)
  assert.equal(isSame(list(full - 1), list(full - 1)), true)
  assert.equal(isSame(list(full), list(full)), undefined)
  const record = (length: number): object =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`m${at}`, 1]))
  assert.equal(isSame(record(full - 1), record(full - 1)), true)
  assert.equal(isSame(record(full), record(full)), undefined)
})

test('a number takes as much as sixteen values', () => {
  const comparison = new Comparison()
  for (let count = 0; count < MOST / NUMBER; count += 1)
    assert.equal(comparison.countNumber(), true)
  assert.equal(comparison.countNumber(), false)
})

test('objects are the same whatever the order of their members, and lists only in theirs', () => {
  assert.equal(isSame({ a: 1, b: [null] }, { b: [null], a: 1 }), true)
  assert.equal(isSame({ a: null }, { b: null }), false)
  assert.equal(isSame({ a: null }, { a: null, b: 1 }), false)
  assert.equal(isSame({}, { toString: null }), false)
  assert.equal(isSame({ toString: null }, { a: null }), false)
  assert.equal(isSame([1, 2], [2, 1]), false)
  assert.equal(isSame([], {}), false)
  assert.equal(isSame('1', 1), false)
})

test('a list is never the same as what is none, whatever that has', () => {
  assert.equal(isSame([], { length: 0 }), false)
  assert.equal(isSame({ length: 0 }, []), false)
  assert.equal(isSame([], {}), false)
  assert.equal(isSame([], ''), false)
  assert.equal(isSame([1, [2]], [1, [2]]), true)
})
