import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findAt,
  judgeAtLeast,
  judgeAtMost,
  judgeBelow,
  judgeExactly,
  judgeNone,
  toCount,
} from './proof-judge.ts'

test('what is not there passes no comparison', () => {
  for (const missing of [undefined, null, 'none', {}, { a: 1 }]) {
    assert.ok(Number.isNaN(toCount(missing)))
    assert.equal(judgeNone({ lost: missing }).met, false)
    assert.equal(judgeExactly({ granted: 0 }, missing).met, false)
    for (const judged of [judgeAtLeast, judgeAtMost, judgeBelow])
      assert.equal(judged('x', missing, 0).met, false)
  }
})

test('a figure is met at its bound, or only below it', () => {
  assert.deepEqual(
    [1.9, 2, 2.1].map((value) => judgeAtLeast('x', value, 2).met),
    [false, true, true],
  )
  assert.deepEqual(
    [1.9, 2, 2.1].map((value) => judgeAtMost('x', value, 2).met),
    [true, true, false],
  )
  assert.deepEqual(
    [1.9, 2, 2.1].map((value) => judgeBelow('x', value, 2).met),
    [true, false, false],
  )
})

test('nothing may have happened, in lists or in counts, and enough was done', () => {
  assert.equal(judgeNone({ lost: 0, findings: [] }, 200, 200).met, true)
  assert.equal(judgeNone({ lost: 0, findings: [] }, 199, 200).met, false)
  assert.equal(judgeNone({ lost: 1, findings: [] }, 200, 200).met, false)
  assert.equal(judgeNone({ lost: 0, findings: ['x'] }, 200, 200).met, false)
  assert.equal(judgeNone({ lost: 0 }, Number.NaN, 200).met, false)
})

test('exactly so many is neither more nor fewer, and one of two is not both', () => {
  const wanted = { granted: 100, refused: 100 }
  assert.equal(judgeExactly(wanted, { granted: 100, refused: 100, sum: 1 }).met, true)
  assert.equal(judgeExactly(wanted, { granted: 101, refused: 100 }).met, false)
  assert.equal(judgeExactly(wanted, { granted: 100 }).met, false)
})

test('a path ends where there is nothing to go into', () => {
  assert.equal(findAt({ a: { b: 1 } }, 'a', 'b'), 1)
  for (const value of [null, 3, { a: 3 }]) assert.equal(findAt(value, 'a', 'b'), undefined)
})
