import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAbsolute, formatCountdown, formatDuration, formatRelative } from './clock.ts'

const NOW = Date.parse('2026-06-01T12:00:00.000Z')

test('spans are written in one unit', () => {
  assert.deepEqual(
    [0, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000].map(formatDuration),
    ['0 ms', '999 ms', '1 s', '59 s', '1 min', '59 min', '1 h', '1 d'],
  )
})

test('moments are before or after now; far ones are dates', () => {
  assert.equal(formatRelative('2026-06-01T11:59:57.000Z', NOW), '3 s ago')
  assert.equal(formatRelative('2026-06-01T12:02:00.000Z', NOW), 'in 2 min')
  assert.equal(formatRelative('2026-01-01T00:00:00.000Z', NOW), '2026-01-01')
  assert.equal(formatRelative('never', NOW), 'never')
})

test('a countdown ends at zero', () => {
  assert.deepEqual([-1, 0, 1, 702_000, 3_723_000].map(formatCountdown), [
    '0:00',
    '0:00',
    '0:01',
    '11:42',
    '1:02:03',
  ])
})

test('in UTC a moment is what the ledger says', () => {
  assert.equal(formatAbsolute('2026-06-01T12:04:09.123Z', true), '2026-06-01 12:04:09 UTC')
})
