import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatChartTimes } from './chart-times.ts'

test('days below a line are dates, and shorter steps are times with the date where a day begins', () => {
  const days = ['2026-11-03 00:00:00', '2026-11-04 00:00:00']
  assert.deepEqual(formatChartTimes(days, 86_400), ['3 Nov', '4 Nov'])
  const hours = ['2026-11-03 12:00:00', '2026-11-04 00:00:00', '2026-11-04 12:00:00']
  assert.deepEqual(formatChartTimes(hours, 43_200), ['12:00', '4 Nov', '12:00'])
  assert.deepEqual(formatChartTimes(['2026-11-03 12:00:05'], 5), ['12:00:05'])
})
