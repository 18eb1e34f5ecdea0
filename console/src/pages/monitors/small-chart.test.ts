import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorSeries } from 'rubicon-agents/client'
import { drawSmallChart } from './small-chart.ts'

function series(values: readonly (string | null)[], max: string | null = '10') {
  const points = values.map((value, leaf) => ({
    leaf,
    at: '',
    value,
    samples: 1,
    unreadable: 0,
    says: 'ok',
  }))
  return { points, bounds: { max, min: null } } as Pick<MonitorSeries, 'points' | 'bounds'>
}

test('the threshold is in the picture, however far the line is below it', () => {
  const { lines, bounds, last } = drawSmallChart(series(['0', '5', '10']), 110, 60)
  assert.deepEqual(lines, ['5,55 55,30 105,5'])
  assert.deepEqual([bounds, last], [[5], { x: 105, y: 5 }])
})

test('where there is no value the line has a gap', () => {
  const { lines } = drawSmallChart(series(['1', null, '2', '3']), 110, 60)
  assert.equal(lines.length, 2)
})

test('without a value there is no line, no last point and no threshold', () => {
  for (const values of [[], [null, null]])
    assert.deepEqual(drawSmallChart(series(values), 110, 60), { lines: [], last: null, bounds: [] })
})

test('of many points the last ones are drawn', () => {
  const { lines } = drawSmallChart(series(Array.from({ length: 900 }, () => '1')), 110, 60)
  assert.equal(lines[0]?.split(' ').length, 60)
})
