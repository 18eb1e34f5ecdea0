import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectRecent } from './select.ts'

test('without a window the newest count, from the first moment of time on', () => {
  const records = ['2026-01-02', '1970-01-01', '2026-01-01'].map((day) => ({
    key: day,
    body: { at: `${day}T00:00:00.000Z` },
  }))
  const days = (most: number): readonly string[] =>
    selectRecent(records, most).map(({ at }) => at.slice(0, 10))
  assert.deepEqual(days(3), ['1970-01-01', '2026-01-01', '2026-01-02'])
  assert.deepEqual(days(2), ['2026-01-01', '2026-01-02'])
})
