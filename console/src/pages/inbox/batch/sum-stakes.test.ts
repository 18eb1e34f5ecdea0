import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumStakes } from './sum-stakes.ts'

const of = (measure: string, value: unknown) => ({
  exposure: { measure, value, threshold: '1' } as never,
})

test('amounts are added exactly, measure by measure, and what has none is counted', () => {
  const rows = [
    of('usd', '0.10'),
    of('usd', '0.20'),
    of('calls', 3),
    { exposure: null },
    of('usd', null),
  ]
  assert.deepEqual(sumStakes(rows), {
    sums: [
      { measure: 'calls', total: '3' },
      { measure: 'usd', total: '0.3' },
    ],
    unmeasured: 2,
  })
  assert.deepEqual(sumStakes([]), { sums: [], unmeasured: 0 })
})
