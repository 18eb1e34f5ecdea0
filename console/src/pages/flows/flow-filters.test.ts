import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOutcomeTabs, parseOutcome } from './flow-filters.ts'

const counts = { total: 7, by: { accepted: 4, rejected: 2 }, exact: true } as const

test('each outcome says how many flows it has, and none is a zero', () => {
  const tabs = listOutcomeTabs(counts, undefined)
  assert.deepEqual(
    tabs.map(({ value, count }) => [value, count]),
    [
      ['all', 7],
      ['decided', undefined],
      ['accepted', 4],
      ['rejected', 2],
      ['escalated', 0],
      ['ended', 0],
    ],
  )
})

test('what is counted within an outcome is not said of all flows', () => {
  assert.equal(listOutcomeTabs(counts, 'accepted')[0]?.count, undefined)
  assert.equal(listOutcomeTabs(counts, 'decided')[1]?.count, 7)
  assert.equal(listOutcomeTabs(null, undefined)[1]?.count, undefined)
})

test('an outcome that nobody knows is none', () => {
  assert.equal(parseOutcome('rejected'), 'rejected')
  assert.equal(parseOutcome('pink'), undefined)
})
