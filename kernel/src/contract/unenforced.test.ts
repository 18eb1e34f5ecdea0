import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseContract } from './parse-contract.ts'
import { findUnenforcedRules } from './unenforced.ts'

const PLAIN: JsonObject = {
  agent_id: 'bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  mission: 'Do it.',
  permissions: { allowed_policy_types: ['BUY'] },
}

function named(more: JsonObject): readonly string[] {
  const parsed = parseContract({ ...PLAIN, ...more })
  assert.ok(parsed.ok)
  return findUnenforcedRules(parsed.value)
}

test('a contract that states only what is enforced is told nothing', () => {
  assert.deepEqual(named({}), [])
  assert.deepEqual(named({ safety_rules: { min_confidence_threshold: '0.8' } }), [])
})

test('each rule that waits for its mechanism is named by its path', () => {
  assert.deepEqual(named({ host: { memory_mb: 256 } }), ['host'])
  assert.deepEqual(named({ host: {} }), [])
})

test('nobody is told that a priority is not enforced: it orders who is woken and whose proposal stands', () => {
  assert.deepEqual(named({ priority: 10 }), [])
  assert.deepEqual(named({ priority: 50 }), [])
})

test('thresholds over many decisions and the budget of escalations are enforced', () => {
  assert.deepEqual(
    named({
      aggregate_thresholds: { max_average_discount_30d: '0.10' },
      safety_rules: { escalations_per_hour: 1 },
    }),
    [],
  )
})

test('what wakes an agent, what it may read and spend and how long it may be silent is enforced', () => {
  const subscriptions = [{ topic: 'market.price', wake_if: { abs_change_pct: '0.5' } }]
  const safety_rules = {
    wake_up_threshold_pnl_pct: '2.5',
    budget_per_flow: { tokens: 10_000 },
    silence_watchdog: { minutes: 30 },
  }
  const permissions = { policy_kinds: ['BUY'], subscriptions, reads: ['market.*'] }
  assert.deepEqual(named({ permissions, safety_rules }), [])
})

test('a drift envelope is enforced, and so is the answer to drift', () => {
  const drift_envelope = { price_pct: '2.0' }
  const abort = { action: 'ABORT' }
  const stated = { ...abort, retry_with_fresh_context: true, notify: ['ops'] }
  assert.deepEqual(named({ jit_verification: { drift_envelope } }), [])
  assert.deepEqual(named({ jit_verification: { on_drift_exceeded: abort } }), [])
  assert.deepEqual(named({ jit_verification: { drift_envelope, on_drift_exceeded: stated } }), [])
})
