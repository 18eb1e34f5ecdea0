import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeTicks } from './axis-ticks.ts'

test('an axis has round numbers, up to four steps, and holds what is shown', () => {
  assert.deepEqual(computeTicks(3), [0, 1, 2, 3])
  assert.deepEqual(computeTicks(8), [0, 2, 4, 6, 8])
  assert.deepEqual(computeTicks(9), [0, 5, 10])
  assert.deepEqual(computeTicks(188), [0, 50, 100, 150, 200])
  for (const most of [1, 7, 23, 999, 4_812, 100_000]) {
    const ticks = computeTicks(most)
    assert.ok(ticks.length <= 5 && (ticks.at(-1) ?? 0) >= most, `${most}: ${ticks}`)
  }
})

test('nothing to show is an axis too', () => {
  assert.deepEqual(computeTicks(0), [0, 1])
  assert.deepEqual(computeTicks(Number.NaN), [0, 1])
})
