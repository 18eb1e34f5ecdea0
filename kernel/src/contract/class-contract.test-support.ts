/** A class contract that states every rule, so that an instance can be held against each of them. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../canonical/json-value.ts'
import { mergePatch } from '../world/merge-patch.ts'
import type { Contract } from './contract.ts'
import { parseContract } from './parse-contract.ts'

const DOCUMENT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'position_manager',
  version: '1.2.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-02-01',
  effective_until: '2027-02-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  parent_agent: 'strategy_agent',
  priority: 50,
  mission: 'Manage positions.',
  permissions: {
    policy_kinds: ['BUY', 'SELL', 'HOLD'],
    forbidden_kinds: ['WITHDRAW'],
    resources: { instruments: ['ETH-*', 'BTC-USD', 're:SOL.*'] },
    limits: [
      { id: 'value', measure: 'value_usd', min: '10', max: '500', applies_to: ['BUY', 'SELL'] },
      { id: 'venue', field: '/venue', allowed: ['x*'], denied: ['xy', 're:xz.*'] },
      { id: 'desk', field: '/desk', denied: ['night*'] },
      { id: 'open', field: 'market.state', expected: 'open' },
      { id: 'share', measure: 'value_usd', of: 'equity_usd', max: '0.2', on_breach: 'escalate' },
      { id: 'hold', measure: 'days', max: '30', applies_to: ['HOLD'], reason_code: 'TOO_LONG' },
    ],
    subscriptions: [{ topic: 'market.price', wake_if: { abs_change_pct: '0.5' } }],
    reads: ['market.*'],
  },
  safety_rules: {
    min_confidence_threshold: '0.85',
    escalate_on_uncertainty: '0.70',
    requires_human_approval: ['SELL'],
    max_drawdown_limit_pct: '4',
    max_intent_retries: 3,
    suspend_after_rejections: { count: 5, window_s: 3600 },
    escalations_per_hour: 3,
    rejections_per_hour: 100,
    budget_per_flow: { calls: '10', usd: '0.50' },
    silence_watchdog: { minutes: 30 },
    pause_on_escalation: true,
    requires_signature: true,
  },
  jit_verification: {
    drift_envelope: { price_pct: '2.0', position_state: 'strict' },
    max_context_age_seconds: 30,
    max_state_age_ms: 500,
    on_drift_exceeded: { action: 'ABORT', notify: ['ops'] },
  },
  aggregate_thresholds: { max_average_discount_30d: '0.10' },
  host: { network: [], memory_mb: 256 },
  context_schema: '1.x',
  compensation: ['REVERT', 'ALERT_HUMAN'],
  reason_codes: { TOO_LONG: { kernel: 'LIMIT_EXCEEDED', summary: 'held too long' } },
}

/** The class contract, changed by a merge patch. */
export function classContract(patch: JsonObject = {}): Contract {
  const parsed = parseContract(mergePatch(DOCUMENT, patch))
  assert.ok(parsed.ok, parsed.ok ? '' : JSON.stringify(parsed.error))
  return parsed.value
}
