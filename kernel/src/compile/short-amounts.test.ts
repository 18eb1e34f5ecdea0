import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildShortageDetails, formatAmounts } from './short-amounts.ts'

test('what is asked stands beside what is left, in the unit of its measure', () => {
  const rows = [{ measure: 'usd', asked: '1', granted: '10', used: '9.5' }]
  assert.equal(formatAmounts(buildShortageDetails(rows)), 'usd: asked 1, left 0.5 of 10 USD')
})

test('nothing is said of amounts that are not there', () => {
  for (const amounts of [undefined, null, 'usd', 7, {}, { usd: null }, { usd: 'much' }])
    assert.equal(formatAmounts({ amounts }), '')
})
