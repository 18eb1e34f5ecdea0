/** What a contract or a writ asks, and the capability does not answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import type { CasePatch } from './case.test-support.ts'
import { refused, staged } from './expect.test-support.ts'

test('finding 2a: a resource set that no scope answers is never ignored', () => {
  const unscoped = { description: { scopes: { instruments: null } } }
  const open = { writ: { scopes: [{ kind: 'BUY' }] } }
  const { details } = refused({ ...unscoped, ...open }, 'CONTRACT_UNANSWERED')
  assert.deepEqual(details, { rule: 'permissions.resources.instruments' })
  const meant = (kind: string): JsonObject => {
    const coins = { allow: ['ETH-USD'], applies_to: [kind] }
    return { permissions: { resources: { instruments: null, coins } } }
  }
  refused({ ...unscoped, ...open, contract: meant('BUY') }, 'CONTRACT_UNANSWERED')
  staged({ ...unscoped, ...open, contract: meant('SELL') })
  staged({ description: { scopes: { instruments: null }, touches: 'none' }, ...open })
})

test('a resource set of the writ that no scope answers refuses too', () => {
  const unscoped = { description: { scopes: { instruments: null } } }
  const contract = { permissions: { resources: { instruments: null } } }
  const { details } = refused({ ...unscoped, contract }, 'CONTRACT_UNANSWERED')
  assert.deepEqual(details, { by: 'writ', set: 'instruments' })
  staged({ description: { ...unscoped.description, touches: 'none' }, contract })
})

test('finding 2b: an envelope on a field that the capability does not watch is never ignored', () => {
  const bound = (drift_envelope: JsonObject) => ({
    contract: { jit_verification: { drift_envelope } },
  })
  staged(bound({ price_pct: '2.0' }))
  const { details } = refused(bound({ volume_pct: '15.0' }), 'CONTRACT_UNANSWERED')
  assert.deepEqual(details, { rule: 'jit_verification.drift_envelope.volume_pct' })
  refused(
    { ...bound({ price_pct: '2.0' }), description: { jit_fields: null } },
    'CONTRACT_UNANSWERED',
  )
  // Declared, and not given for these parameters, or not to be had.
  refused({ ...bound({ price_pct: '2.0' }), law: { jit: () => ({}) } }, 'CONTRACT_UNANSWERED')
  refused({ ...bound({ price_pct: '2.0' }), capability: 'jit_throws' }, 'CONTRACT_UNANSWERED')
  const sell = { permissions: { policy_kinds: ['BUY', 'SELL'] } }
  const elsewhere = { volume_pct: { max: '15.0', applies_to: ['SELL'] } }
  staged({ contract: { ...bound(elsewhere).contract, ...sell } })
  staged({ ...bound({ volume_pct: '15.0' }), description: { touches: 'none' } })
})

test('a limit that nobody measures refuses, unless nothing is touched', () => {
  const limits = [{ id: 'speed', kind: 'range', measure: 'speed', max: '1' }]
  const contract = { permissions: { limits } }
  const { details } = refused({ contract }, 'CONTRACT_UNANSWERED')
  assert.deepEqual(details, { rule: 'permissions.limits.speed' })
  staged({ contract, description: { touches: 'none' } })
  const field = [{ id: 'leverage', kind: 'range', field: '/leverage', max: '1' }]
  refused({ contract: { permissions: { limits: field } } }, 'MEASURE_UNAVAILABLE')
  staged({ contract: { permissions: { limits: field } }, description: { touches: 'none' } })
})

/** The capability computes `order_value_usd`, 4,000 here, for limits. */
const windowed = (budget: JsonObject, more: CasePatch = {}): CasePatch => {
  const used = { kwh: '0', order_value_usd: '0', tokens: '0' }
  return {
    contract: { safety_rules: { budget_per_agent: { window_s: '3600', ...budget } } },
    facts: { agent_window: { from: '2026-03-02T10:00:00.000Z', used } },
    writ: { budget: { order_value_usd: '5000' } },
    ...more,
  }
}
const costing = (amount: string): CasePatch => ({
  description: { cost: { order_value_usd: amount } },
})

test('a budget of the agent that a call moves and does not draw on refuses', () => {
  const budget = { order_value_usd: '5000' }
  const granted = { writ: { budget: {} } }
  const { details } = refused(windowed(budget, granted), 'CONTRACT_UNANSWERED')
  assert.deepEqual(details, { rule: 'safety_rules.budget_per_agent.order_value_usd' })
  staged(windowed(budget, costing('4000')))
  staged(windowed(budget, costing('0')))
  refused(windowed(budget, costing('5000.01')), 'BUDGET_EXCEEDED')
  staged(windowed(budget, { ...granted, description: { touches: 'none', scopes: {} } }))
})

test('a budget of the flow that a call moves and does not draw on refuses', () => {
  const granted = { writ: { budget: { order_value_usd: '5000' } } }
  const { details } = refused(granted, 'CONTRACT_UNANSWERED')
  assert.deepEqual(details, { by: 'writ', budget: 'order_value_usd' })
  staged({ ...granted, ...costing('4000') })
  staged({ ...granted, law: { cost: () => ({ order_value_usd: '4000' }) } })
})

test('a budget of what is not moved here, or is counted whatever a capability says, is none of its business', () => {
  staged(windowed({ kwh: '5', tokens: '5' }, { writ: { budget: { kwh: '1', usd: '10' } } }))
})
