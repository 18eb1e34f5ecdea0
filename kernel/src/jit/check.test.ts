import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Refusal } from '../compile/verdict.ts'
import { checkDrift } from './check.ts'
import { type DriftInput, measureDrift } from './drift.ts'
import type { JitField } from './envelope.ts'

const NOW = '2026-03-02T10:00:00.000Z'
const FIELDS: Readonly<Record<string, JitField>> = {
  price: { path: 'market.price', kind: 'telemetry' },
  cash: { path: 'accounts.cash', kind: 'balance' },
}
type Values = Readonly<Record<string, JsonValue>>
const SHOWN: Values = { 'market.price': '99.50', 'accounts.cash': '1000' }

function input(is: Values, constraints: JsonObject = {}, was: Values = SHOWN): DriftInput {
  const from = (values: Values) => (path: string) => {
    const value = values[path]
    return value === undefined ? undefined : { value, observed_at: NOW }
  }
  return {
    now: NOW,
    fields: FIELDS,
    envelope: { price_pct: '0.5' },
    constraints,
    was: from(was),
    is: from(is),
  }
}

function refusal(is: Values, constraints: JsonObject = {}, was: Values = SHOWN): Refusal | null {
  return checkDrift(input(is, constraints, was)).refusal
}

const drifted = { ...SHOWN, 'market.price': '101.20' }

test('what stands still, or moves inside its envelope, passes with its report', () => {
  assert.equal(refusal(SHOWN), null)
  const near = input({ ...SHOWN, 'market.price': '99.90' })
  assert.deepEqual(checkDrift(near), { report: measureDrift(near), refusal: null })
})

test('what moved too far is named with both values, its bound and the percentage', () => {
  assert.deepEqual(refusal(drifted), {
    code: 'STATE_DRIFT_DETECTED',
    details: {
      field: 'price',
      path: 'market.price',
      was: '99.50',
      is: '101.20',
      bound: { kind: 'percent', limit: '0.5' },
      percent: '1.708543',
    },
  })
  assert.deepEqual(checkDrift(input(drifted)).report, measureDrift(input(drifted)))
})

test('the bound that is named is the first that does not hold', () => {
  const close = { ...SHOWN, 'market.price': '99.60' }
  const details = refusal(close, { drift_envelope: { price_abs: '0.05' } })?.details
  assert.deepEqual(details?.bound, { kind: 'absolute', limit: '0.05' })
})

test('the first field by name is the one that is named', () => {
  const both = { 'market.price': '101.20', 'accounts.cash': '999' }
  assert.equal(refusal(both)?.details.field, 'cash')
})

test('a value without a percentage is refused without one', () => {
  const details = refusal(
    { ...SHOWN, 'accounts.cash': 'frozen' },
    {},
    { ...SHOWN, 'accounts.cash': 'open' },
  )?.details
  assert.deepEqual(details, {
    field: 'cash',
    path: 'accounts.cash',
    was: 'open',
    is: 'frozen',
    bound: { kind: 'strict' },
  })
})

test('what the agent was never shown has drifted from nothing', () => {
  const { 'market.price': price = null } = SHOWN
  const unseen = refusal(SHOWN, {}, { 'market.price': price })
  assert.equal(unseen?.code, 'STATE_DRIFT_DETECTED')
  assert.deepEqual(unseen?.details, {
    field: 'cash',
    path: 'accounts.cash',
    was: null,
    is: '1000',
    bound: { kind: 'strict' },
  })
})

test('a live value that is missing comes before everything else', () => {
  const constraints = { drift_envelope: { volume_pct: 1 } }
  assert.deepEqual(refusal({ 'accounts.cash': '999' }, constraints), {
    code: 'STATE_UNAVAILABLE',
    details: { path: 'market.price', field: 'price' },
  })
  assert.deepEqual(refusal({}, constraints)?.details, { path: 'accounts.cash', field: 'cash' })
})

test('an envelope that cannot be checked comes before the drift', () => {
  const constraints = { max_slippage_bps: 'much', drift_envelope: { volume_pct: 1 } }
  for (const is of [SHOWN, drifted])
    assert.deepEqual(refusal(is, constraints), {
      code: 'EXECUTION_CONSTRAINT_VIOLATED',
      details: { constraint: 'drift_envelope.volume_pct' },
    })
})
