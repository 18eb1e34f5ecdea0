import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { parseDuration } from './duration.ts'

test('a duration counts minutes, hours or days, up to the longest and no further', () => {
  assert.equal(parseDuration('45m'), 2_700_000)
  assert.equal(parseDuration('12h'), 43_200_000)
  assert.equal(parseDuration('100000m'), 6_000_000_000)
  const days = LIMITS.monitorWindowDays
  assert.equal(parseDuration(`${days}d`), days * 86_400_000)
  assert.equal(parseDuration(`${days + 1}d`), undefined)
  assert.equal(parseDuration(`${days * 24 * 60 + 1}m`), undefined)
  for (const text of ['', 'd', '0d', '01d', '1s', '-1d', '1.5h', '1 d', '1234567m'])
    assert.equal(parseDuration(text), undefined, text)
})
