import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseContract } from './parse-contract.ts'
import { listSubscriptions } from './subscription.ts'

function subscribed(permissions: JsonObject, safety_rules: JsonObject = {}): unknown {
  const parsed = parseContract({
    agent_id: 'bot',
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2026-01-01',
    mission: 'Do it.',
    permissions: { allowed_policy_types: ['BUY'], ...permissions },
    safety_rules,
  })
  assert.ok(parsed.ok, parsed.ok ? '' : JSON.stringify(parsed.error))
  return listSubscriptions(parsed.value)
}

test('thresholds are kept as decimal text, words and truth values as they are', () => {
  const wake_if = { abs_change_pct: 0.5, above: '100.0', below: -3 }
  const subscriptions = [
    { topic: 'market.*', wake_if },
    { topic: 'market.state', wake_if: { equals: 'halted' } },
    { topic: 'feed.up', wake_if: { equals: false } },
    { topic: 'desk.level', wake_if: { equals: 3 } },
    { topic: 'orders' },
  ]
  assert.deepEqual(subscribed({ subscriptions }), [
    { topic: 'market.*', wake_if: { abs_change_pct: '0.5', above: '100', below: '-3' } },
    { topic: 'market.state', wake_if: { equals: 'halted' } },
    { topic: 'feed.up', wake_if: { equals: false } },
    { topic: 'desk.level', wake_if: { equals: '3' } },
    { topic: 'orders' },
  ])
})

test('the threshold of the flat form is a subscription to profit and loss, both ways', () => {
  const topic = 'agent.bot.pnl_pct'
  assert.deepEqual(subscribed({}, { wake_up_threshold_pnl_pct: 2.5 }), [
    { topic, wake_if: { above: '2.5', below: '-2.5' } },
  ])
  assert.deepEqual(subscribed({}, { wake_up_threshold_pnl_pct: 0 }), [
    { topic, wake_if: { above: '0', below: '0' } },
  ])
  const listed = { subscriptions: [{ topic: 'orders' }] }
  assert.deepEqual(subscribed(listed, { wake_up_threshold_pnl_pct: '1' }), [
    { topic: 'orders' },
    { topic, wake_if: { above: '1', below: '-1' } },
  ])
})

test('a change is counted since the last observation or the last waking, as is said', () => {
  for (const since of ['last_observation', 'last_wake']) {
    const wake_if = { abs_change_pct: '0.5', since }
    const subscriptions = [{ topic: 'market.*', wake_if }]
    assert.deepEqual(subscribed({ subscriptions }), subscriptions)
  }
})
