import assert from 'node:assert/strict'
import { test } from 'node:test'
import { absolute, countdown, relative, span } from './clock.ts'

const NOW = Date.parse('2026-06-01T12:00:00.000Z')

test('spans are written in one unit', () => {
  assert.deepEqual([0, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000].map(span), [
    '0 ms',
    '999 ms',
    '1 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '1 d',
  ])
})

test('moments are before or after now; far ones are dates', () => {
  assert.equal(relative('2026-06-01T11:59:57.000Z', NOW), '3 s ago')
  assert.equal(relative('2026-06-01T12:02:00.000Z', NOW), 'in 2 min')
  assert.equal(relative('2026-01-01T00:00:00.000Z', NOW), '2026-01-01')
  assert.equal(relative('never', NOW), 'never')
})

test('a countdown ends at zero', () => {
  assert.deepEqual([-1, 0, 1, 702_000, 3_723_000].map(countdown), [
    '0:00',
    '0:00',
    '0:01',
    '11:42',
    '1:02:03',
  ])
})

test('in UTC a moment is what the ledger says', () => {
  assert.equal(absolute('2026-06-01T12:04:09.123Z', true), '2026-06-01 12:04:09 UTC')
})
