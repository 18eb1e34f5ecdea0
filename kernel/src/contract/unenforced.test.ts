import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseContract } from './parse-contract.ts'
import { unenforced } from './unenforced.ts'

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
  return unenforced(parsed.value)
}

test('a contract that states only what is enforced is told nothing', () => {
  assert.deepEqual(named({}), [])
  assert.deepEqual(named({ safety_rules: { min_confidence_threshold: '0.8' } }), [])
})

test('each rule that waits for its mechanism is named by its path', () => {
  assert.deepEqual(
    named({
      aggregate_thresholds: { max_average_discount_30d: '0.10' },
      safety_rules: { wake_up_threshold_pnl_pct: '2.5', escalations_per_hour: 1 },
      compensation: ['REVERT'],
    }),
    [
      'safety_rules.wake_up_threshold_pnl_pct',
      'safety_rules.escalations_per_hour',
      'aggregate_thresholds',
      'compensation',
    ],
  )
})
