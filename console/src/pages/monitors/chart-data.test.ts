import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorSeries, SeriesPoint } from 'rubicon-agents/client'
import { describeChart, toChartData } from './chart-data.ts'

const AT = '2026-06-01T12:00:00.000Z'

function point(leaf: number, value: string | null): SeriesPoint {
  return { leaf, at: AT, value, samples: leaf, unreadable: 0, says: 'ok' }
}

function seriesOf(more: object): MonitorSeries {
  return {
    points: [],
    baseline: null,
    bounds: { max: '0.1', min: null },
    marks: [],
    executions: 0,
    complete: true,
    ...more,
  } as unknown as MonitorSeries
}

test('points of one moment stay apart, in their order', () => {
  const { at, value, leaves } = toChartData(
    seriesOf({ points: [point(4, '1.5'), point(5, null), point(9, '2')] }),
  )
  assert.deepEqual(
    [value, leaves],
    [
      [1.5, null, 2],
      [4, 5, 9],
    ],
  )
  assert.ok((at[0] ?? 0) < (at[1] ?? 0) && (at[1] ?? 0) < (at[2] ?? 0))
})

test('a band is as long as the line, and is left out where there is none', () => {
  const points = [point(1, '1'), point(2, '2')]
  const banded = toChartData(seriesOf({ points, baseline: { low: '1', high: '3', points: 20 } }))
  assert.deepEqual(
    [banded.low, banded.high],
    [
      [1, 1],
      [3, 3],
    ],
  )
  assert.deepEqual(toChartData(seriesOf({ points })).low, [null, null])
})

test('the picture is told in words', () => {
  const series = seriesOf({
    points: [point(7, '2')],
    baseline: { low: '1', high: '3', points: 20 },
    marks: [{ kind: 'contract', at: AT, seq: 1, leaf: 1, label: '' }],
  })
  assert.equal(
    describeChart(series),
    '1 points, the last 2 over 7 executions; upper bound 0.1; baseline from 1 to 3; 1 marks',
  )
  assert.match(describeChart(seriesOf({})), /^no points/)
})
