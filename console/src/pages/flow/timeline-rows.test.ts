import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutMiddle, sortBranches } from './timeline-rows.ts'

test('a long list is cut in its middle, and a short one is whole', () => {
  const rows = [1, 2, 3, 4, 5, 6, 7]
  assert.deepEqual(cutMiddle(rows, 7), { first: rows, left: 0, last: [] })
  assert.deepEqual(cutMiddle(rows, 4), { first: [1, 2], left: 3, last: [6, 7] })
  assert.deepEqual(cutMiddle([], 4), { first: [], left: 0, last: [] })
})

test('flows opened in a flow stand in the order of time, whatever page they came with', () => {
  const build = (dfid: string, second: string) => {
    return { dfid, opened_at: `2026-01-01T00:00:${second}.000Z` }
  }
  const rows = [build('c', '03'), build('b', '02'), build('e', '02'), build('a', '01')]
  assert.deepEqual(
    sortBranches(rows).map(({ dfid }) => dfid),
    ['a', 'b', 'e', 'c'],
  )
})
