import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeardTime } from './heard-time.ts'

test('what a store said goes on as it is measured here, and an answer that was late says less than one that was quick', () => {
  const heard = new HeardTime()
  assert.equal(heard.computeEarliest(5), Number.NEGATIVE_INFINITY, 'nothing was heard yet')
  heard.record(10_000, 100)
  assert.equal(heard.computeEarliest(100), 10_000)
  heard.record(10_010, 150)
  assert.ok(heard.computeEarliest(150) > 10_049, 'the second was 40 ms late')
  heard.record(10_101, 200)
  assert.equal(heard.computeEarliest(200), 10_101)
})

test('it is never later than the store can be, however much slower the clock of that goes', () => {
  const heard = new HeardTime()
  heard.record(10_000, 0)
  assert.ok(heard.computeEarliest(3_600_000) < 3_610_000 - 3_000)
  heard.record(3_605_000, 3_600_000)
  assert.equal(heard.computeEarliest(3_600_000), 3_606_400, 'what was said now was late')
})

test('a store whose clock was set back is believed', () => {
  const heard = new HeardTime()
  heard.record(100_000, 0)
  heard.record(40_000, 10)
  assert.equal(heard.computeEarliest(10), 40_000)
})
