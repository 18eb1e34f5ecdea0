import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutMiddle } from './timeline-rows.ts'

test('a long list is cut in its middle, and a short one is whole', () => {
  const rows = [1, 2, 3, 4, 5, 6, 7]
  assert.deepEqual(cutMiddle(rows, 7), { first: rows, left: 0, last: [] })
  assert.deepEqual(cutMiddle(rows, 4), { first: [1, 2], left: 3, last: [6, 7] })
  assert.deepEqual(cutMiddle([], 4), { first: [], left: 0, last: [] })
})
