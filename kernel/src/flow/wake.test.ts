import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import type { WakeCondition } from '../contract/subscription.ts'
import { isWakingChange } from './wake.ts'

function woken(
  wake_if: WakeCondition | undefined,
  before: JsonValue | undefined,
  after: JsonValue,
): boolean {
  const topic = 'market.price'
  return isWakingChange(wake_if === undefined ? { topic } : { topic, wake_if }, before, after)
}

const half: WakeCondition = { abs_change_pct: '0.5' }

test('a change of half a percent wakes at half a percent, one of 0.3 does not', () => {
  assert.equal(woken(half, '100', '100.3'), false)
  assert.equal(woken(half, '100', '100.4999999999'), false)
  assert.equal(woken(half, '100', '100.5'), true)
  assert.equal(woken(half, '100', '99.5'), true)
  assert.equal(woken(half, -100, -100.5), true)
  assert.equal(woken(half, -100, -100.4), false)
})

test('percentages are decimals: 0.1 and 0.2 are 0.3', () => {
  assert.equal(woken({ abs_change_pct: '200' }, 0.1, 0.3), true)
  assert.equal(woken({ abs_change_pct: '200.0000000001' }, 0.1, 0.3), false)
})

test('a value that stays the same wakes nobody, however it is written', () => {
  for (const condition of [undefined, half, { abs_change_pct: '0' }, { equals: 'x' }]) {
    assert.equal(woken(condition, '100', 100), false)
    assert.equal(woken(condition, '100.0', '100.00'), false)
    assert.equal(woken(condition, { a: 1, b: 2 }, { b: 2, a: 1 }), false)
  }
})

test('without a condition every change wakes', () => {
  assert.equal(woken(undefined, 'open', 'closed'), true)
  assert.equal(woken(undefined, undefined, null), true)
})

test('a change that cannot be measured is a change of any size', () => {
  const huge: WakeCondition = { abs_change_pct: '1000000' }
  assert.equal(woken(huge, undefined, '100'), true, 'the first sight')
  assert.equal(woken(huge, '0', '0.0001'), true, 'from zero')
  assert.equal(woken(huge, '100', 'n/a'), true, 'to what is no number')
  assert.equal(woken(huge, [1], '100'), true, 'from what is no number')
  assert.equal(woken({ abs_change_pct: 'much' }, '100', '100.1'), true, 'an unreadable bound')
})

test('a threshold counts when it is reached, and only on the way', () => {
  const above: WakeCondition = { above: '3000' }
  assert.equal(woken(above, '2999', '2999.99'), false)
  assert.equal(woken(above, '2999', '3000'), true)
  assert.equal(woken(above, '3000', '3001'), false, 'it was there already')
  assert.equal(woken(above, undefined, '3001'), true)
  const below: WakeCondition = { below: '-2.5' }
  assert.equal(woken(below, '0', '-2.4'), false)
  assert.equal(woken(below, '0', '-2.5'), true)
  assert.equal(woken(below, '-2.5', '-9'), false)
})

test('what is no number is on neither side of a threshold', () => {
  assert.equal(woken({ above: '1' }, '0', 'many'), false)
  assert.equal(woken({ below: '1' }, '0', null), false)
  assert.equal(woken({ above: '1' }, 'many', '2'), true)
  assert.equal(woken({ above: 'high' }, '0', '2'), false)
})

test('a value that is waited for wakes when it comes', () => {
  assert.equal(woken({ equals: 'halted' }, 'open', 'halted'), true)
  assert.equal(woken({ equals: 'halted' }, 'open', 'closed'), false)
  assert.equal(woken({ equals: 'halted' }, 'halted', 'open'), false)
  assert.equal(woken({ equals: '3' }, 2, 3.0), true)
  assert.equal(woken({ equals: true }, 'true', true), true)
})

test('of several conditions one is enough', () => {
  const band: WakeCondition = { above: '10', below: '-10', abs_change_pct: '50' }
  assert.equal(woken(band, '9', '10'), true)
  assert.equal(woken(band, '-9', '-10'), true)
  assert.equal(woken(band, '2', '3'), true)
  assert.equal(woken(band, '9', '9.5'), false)
})
