import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { type CasePatch, withCase } from './case.test-support.ts'
import { checkDispatch } from './dispatch-checks.ts'
import type { Refusal } from './verdict.ts'

function check(patch: CasePatch, measures: JsonObject = {}): Refusal['code'] | null {
  const { facts, proposal, contract } = withCase(patch)
  assert.ok(contract !== null)
  return checkDispatch({ facts: facts.value, proposal, contract, measures })?.code ?? null
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
  assert.equal(check(constrained({ drift_envelope: {} })), violated)
})

test('the market is in the state that the proposal wants', () => {
  const fact = { path: 'market.state', value: 'OPEN', observed_at: '2026-03-02', label: 'trusted' }
  const market = { state: [{ ...fact, source: 'exchange', version: '1' }] }
  assert.equal(check(constrained({ requires_market_state: 'OPEN' }, market)), null)
  const violated = 'EXECUTION_CONSTRAINT_VIOLATED'
  assert.equal(check(constrained({ requires_market_state: 'CLOSED' }, market)), violated)
  assert.equal(check(constrained({ requires_market_state: 'OPEN' })), violated)
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
