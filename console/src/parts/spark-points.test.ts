import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeSparkPoints } from './spark-points.ts'

test('the lowest value lies at the bottom, the highest at the top, the last at the right', () => {
  assert.deepEqual(computeSparkPoints([0, 10, 5], 26, 16), [
    { x: 3, y: 13 },
    { x: 13, y: 3 },
    { x: 23, y: 8 },
  ])
})

test('values that are all the same are a line in the middle, and none are none', () => {
  assert.deepEqual(
    computeSparkPoints([7, 7], 26, 16).map(({ y }) => y),
    [8, 8],
  )
  assert.deepEqual(computeSparkPoints([7], 26, 16), [{ x: 23, y: 8 }])
  assert.deepEqual(computeSparkPoints([], 26, 16), [])
})
