import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWidths, keepWidths, moveBorder } from './column-widths.ts'

test('what one column gets its neighbour gives, and neither disappears', () => {
  assert.deepEqual(moveBorder([40, 30, 30], 0, 10), [50, 20, 30])
  assert.deepEqual(moveBorder([40, 30, 30], 1, -10), [40, 20, 40])
  assert.deepEqual(moveBorder([40, 30, 30], 0, 90), [65, 5, 30])
  assert.deepEqual(moveBorder([40, 30, 30], 0, -90), [5, 65, 30])
})

test('the last column has no neighbour to take from', () => {
  assert.deepEqual(moveBorder([40, 60], 1, 10), [40, 60])
  assert.deepEqual(moveBorder([40, 60], 2, 10), [40, 60])
})

test('a column that is narrower than the least may grow, and does not shrink', () => {
  assert.deepEqual(moveBorder([3, 97], 0, -2), [3, 97])
  assert.deepEqual(moveBorder([3, 97], 0, 2), [5, 95])
})

test('widths are found again by the table and the number of its columns', () => {
  const kept = keepWidths(keepWidths(null, 'flows', [60, 40]), 'agents', [33.333, 33.333, 33.334])
  assert.deepEqual(findWidths(kept, 'flows', 2), [60, 40])
  assert.deepEqual(findWidths(kept, 'agents', 3), [33.3, 33.3, 33.3])
  assert.equal(findWidths(kept, 'flows', 3), null)
  assert.equal(findWidths(kept, 'ledger', 2), null)
  assert.equal(findWidths(keepWidths(kept, 'flows', null), 'flows', 2), null)
})

test('what somebody else wrote there is no widths', () => {
  for (const text of [
    null,
    '',
    '{',
    '1',
    '{"flows":[1]}',
    '[["flows",["a","b"]]]',
    '[["flows",[0,100]]]',
  ])
    assert.equal(findWidths(text, 'flows', 2), null)
})

test('forty tables are remembered, those that were changed last', () => {
  const kept = Array.from({ length: 41 }, (_, index) => `t${index}`).reduce<string | null>(
    (before, table) => keepWidths(before, table, [50, 50]),
    null,
  )
  assert.equal(findWidths(kept, 't0', 2), null)
  assert.deepEqual(findWidths(kept, 't1', 2), [50, 50])
  assert.deepEqual(findWidths(kept, 't40', 2), [50, 50])
})
