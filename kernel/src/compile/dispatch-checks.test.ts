import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { type CasePatch, withCase } from './case.test-support.ts'
import { checkDispatch, type DispatchInput, reportDrift } from './dispatch-checks.ts'
import type { Refusal } from './verdict.ts'

function inputOf(patch: CasePatch, measures: JsonObject = {}): DispatchInput {
  const { facts, proposal, contract, rules } = withCase(patch)
  const law = rules.capability(proposal.policy_kind)
  assert.ok(contract !== null && law !== undefined)
  return { facts: facts.value, proposal, contract, law, measures }
}

function check(patch: CasePatch, measures: JsonObject = {}): Refusal['code'] | null {
  return checkDispatch(inputOf(patch, measures))?.code ?? null
}

const constrained = (execution_constraints: JsonObject, facts: JsonObject = {}): CasePatch => ({
  proposal: { execution_constraints },
  facts,
})
const observed = (observed_at: string): JsonObject => ({
  state: { 'market.price.ETH-USD': { observed_at } },
})
const fresh: CasePatch = { contract: { jit_verification: { max_state_age_ms: 500 } } }

test('without constraints and without an age limit nothing is in the way', () => {
  assert.equal(check({}), null)
  assert.equal(check({ facts: observed('2020-01-01') }), null)
})

test('a fact is as old as the contract allows, and not a millisecond older', () => {
  assert.equal(check({ ...fresh, facts: observed('2026-03-02T09:59:59.500Z') }), null)
  const late = observed('2026-03-02T09:59:59.499Z')
  assert.equal(check({ ...fresh, facts: late }), 'STATE_UNAVAILABLE')
})

test('a time that cannot be read says nothing about now', () => {
  assert.equal(check({ ...fresh, facts: observed('lately') }), 'STATE_UNAVAILABLE')
  assert.equal(check({ ...fresh, facts: { now: 'about noon' } }), 'STATE_UNAVAILABLE')
})

test('a maximum holds at the bound and a minimum too', () => {
  const measures = { price: '100.00' }
  assert.equal(check(constrained({ max_price: 100 }), measures), null)
  assert.equal(
    check(constrained({ max_price: '99.99' }), measures),
    'EXECUTION_CONSTRAINT_VIOLATED',
  )
  assert.equal(check(constrained({ min_price: '100' }), measures), null)
  assert.equal(
    check(constrained({ min_price: '100.01' }), measures),
    'EXECUTION_CONSTRAINT_VIOLATED',
  )
})

test('a bound on what is not measured, or that is not a number, does not hold', () => {
  const violated = 'EXECUTION_CONSTRAINT_VIOLATED'
  assert.equal(check(constrained({ max_price: 100 })), violated)
  assert.equal(check(constrained({ max_price: 100 }), { price: 'high' }), violated)
  assert.equal(check(constrained({ max_price: 'low' }), { price: 100 }), violated)
  assert.equal(check(constrained({ mood: 'calm' })), violated)
})

test('the market is in the state that the proposal wants', () => {
  const fact = { path: 'market.state', value: 'OPEN', observed_at: '2026-03-02', label: 'trusted' }
  const market = { state: { [fact.path]: { ...fact, source: 'exchange', version: '1' } } }
  assert.equal(check(constrained({ requires_market_state: 'OPEN' }, market)), null)
  const violated = 'EXECUTION_CONSTRAINT_VIOLATED'
  assert.equal(check(constrained({ requires_market_state: 'CLOSED' }, market)), violated)
  assert.equal(check(constrained({ requires_market_state: 'OPEN' })), violated)
  const claimed = { state: { [fact.path]: { ...market.state[fact.path], label: 'agent' } } }
  assert.equal(check(constrained({ requires_market_state: 'OPEN' }, claimed)), violated)
})

test('a decision is valid for as long as it said, from what it was shown', () => {
  const violated = 'EXECUTION_CONSTRAINT_VIOLATED'
  assert.equal(check(constrained({ validity_window_sec: 10 })), null)
  assert.equal(check(constrained({ validity_window_sec: 9 })), violated)
  assert.equal(check(constrained({ validity_window_sec: '10' })), violated)
  const unread = { flow: { snapshot_at: 'lately' } }
  assert.equal(check(constrained({ validity_window_sec: 10 }, unread)), violated)
  assert.equal(check(constrained({ validity_window_sec: 10 }, { now: 'noon' })), violated)
})

const PRICE = 'market.price.ETH-USD'
const priced = (was: string, is: string, more: CasePatch = {}): CasePatch => ({
  ...more,
  facts: { seen: { [PRICE]: { value: was } }, state: { [PRICE]: { value: is } } },
})
const allowed: CasePatch = {
  contract: { jit_verification: { drift_envelope: { price_pct: '0.5' } } },
}

test('the price may move as far as the contract allows, and no further', () => {
  assert.equal(check(priced('99.50', '99.90', allowed)), null)
  assert.equal(check(priced('99.50', '101.20', allowed)), 'STATE_DRIFT_DETECTED')
  assert.equal(check(priced('99.50', '99.90')), 'STATE_DRIFT_DETECTED', 'the default is narrower')
})

test('the envelope of the proposal narrows that of the contract and does not widen it', () => {
  const drift = (execution_constraints: JsonObject): Refusal['code'] | null =>
    check(priced('99.50', '99.90', { ...allowed, proposal: { execution_constraints } }))
  for (const constraints of [
    { drift_envelope: { price_pct: '5' } },
    { drift_envelope_bps: 41 },
    { max_slippage_bps: 41 },
    { drift_envelope: {} },
  ])
    assert.equal(drift(constraints), null, JSON.stringify(constraints))
  for (const constraints of [
    { drift_envelope: { price_abs: '0.39' } },
    { drift_envelope_bps: 40 },
    { max_slippage_bps: '40' },
  ])
    assert.equal(drift(constraints), 'STATE_DRIFT_DETECTED', JSON.stringify(constraints))
})

test('an envelope around a value that the capability does not watch is not ignored', () => {
  const violated = 'EXECUTION_CONSTRAINT_VIOLATED'
  assert.equal(check(constrained({ drift_envelope: { volume_pct: 5 } })), violated)
  assert.equal(check(constrained({ drift_envelope: 'wide' })), violated)
  const blind = { ...constrained({ drift_envelope_bps: 50 }), law: { jit: () => ({}) } }
  assert.equal(check(blind), violated)
})

test('a watched value that is missing now is unavailable, one that was never shown has drifted', () => {
  assert.equal(check({ facts: { state: { [PRICE]: null } } }), 'STATE_UNAVAILABLE')
  assert.equal(check({ facts: { seen: { [PRICE]: null } } }), 'STATE_DRIFT_DETECTED')
})

test('age is looked at before drift, and drift before the other constraints', () => {
  const late = { value: '101.20', observed_at: '2026-03-02T09:59:59.499Z' }
  assert.equal(check({ ...fresh, facts: { state: { [PRICE]: late } } }), 'STATE_UNAVAILABLE')
  const unmeasured = { proposal: { execution_constraints: { max_price: 1 } } }
  assert.equal(check(priced('99.50', '101.20', unmeasured)), 'STATE_DRIFT_DETECTED')
})

test('a capability that cannot say what must not move lets nothing out', () => {
  const input = inputOf({ capability: 'jit_throws' })
  assert.equal(checkDispatch(input)?.code, 'STATE_UNAVAILABLE')
  assert.deepEqual(reportDrift(input), [])
})

test('the report says of every watched value what it was, what it is and how far that is', () => {
  const [report, ...others] = reportDrift(inputOf(priced('99.50', '99.90', allowed)))
  assert.deepEqual(others, [])
  assert.deepEqual(report, {
    field: 'price',
    path: PRICE,
    was: '99.50',
    is: '99.90',
    age_ms: 0,
    percent: '0.402011',
    absolute: '0.4',
    bounds: [{ kind: 'percent', limit: '0.5' }],
    within: true,
  })
})

test('a value that ranks below is missing now, and was never shown', () => {
  const agent = { [PRICE]: { label: 'agent' } }
  assert.equal(check({ facts: { state: agent } }), 'STATE_UNAVAILABLE')
  assert.equal(check({ facts: { seen: agent } }), 'STATE_DRIFT_DETECTED')
  const both = { facts: { seen: agent, state: agent } }
  assert.equal(check({ ...both, description: { accepts: { 'market.*': 'agent' } } }), null)
  assert.equal(
    check({ ...both, contract: { permissions: { accepts: { [PRICE]: 'agent' } } } }),
    null,
  )
})

test('how old a fact is decides nothing where it is not read', () => {
  const old = '2020-01-01T00:00:00.000Z'
  const aged = (label: string): CasePatch => ({
    contract: { jit_verification: { max_state_age_ms: 60_000 } },
    facts: { state: { 'accounts.settlement': { label, observed_at: old } } },
  })
  assert.equal(check(aged('operator')), 'STATE_UNAVAILABLE')
  assert.equal(check(aged('external')), null)
})
