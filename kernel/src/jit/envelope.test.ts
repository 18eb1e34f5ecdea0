import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import {
  type Bound,
  type FieldKind,
  type JitField,
  listBounds,
  listNamedFields,
  listUncheckable,
} from './envelope.ts'

const STRICT: Bound = { kind: 'strict' }
const percent = (limit: string): Bound => ({ kind: 'percent', limit })
const absolute = (limit: string): Bound => ({ kind: 'absolute', limit })
const DEFAULT = percent('0.1')

const price = (
  contract: Readonly<Record<string, string>>,
  constraints: JsonObject = {},
): readonly Bound[] => listBounds('price', 'telemetry', contract, constraints)

const FIELDS: Readonly<Record<string, JitField>> = {
  price: { path: 'market.price', kind: 'telemetry' },
  held: { path: 'positions.held', kind: 'position' },
}

test('where nobody says anything, balances and positions stand still and telemetry may tremble', () => {
  const defaults: Readonly<Record<FieldKind, Bound>> = {
    balance: STRICT,
    position: STRICT,
    telemetry: DEFAULT,
  }
  for (const kind of ['balance', 'position', 'telemetry'] as const)
    assert.deepEqual(listBounds('x', kind, {}, {}), [defaults[kind]])
})

test('what the contract says of a field takes the place of the default, all of it', () => {
  assert.deepEqual(price({ price_pct: '2.0' }), [percent('2')])
  assert.deepEqual(price({ price_bps: '50' }), [percent('0.5')])
  assert.deepEqual(price({ price_abs: '1.50' }), [absolute('1.5')])
  assert.deepEqual(price({ price: 'strict' }), [STRICT])
  assert.deepEqual(price({ price_abs: '3', price_pct: '2' }), [percent('2'), absolute('3')])
  assert.deepEqual(listBounds('held', 'position', { held_abs: '0.01' }, {}), [absolute('0.01')])
})

test('what the contract says of other fields changes nothing', () => {
  assert.deepEqual(price({ volume_pct: '15', prices_pct: '9', pct: '9', _pct: '9' }), [DEFAULT])
})

test('an entry of the contract that cannot be read is strict', () => {
  for (const wrong of ['much', '-1', '1e3', '', '9'.repeat(65)]) {
    assert.deepEqual(price({ price_pct: wrong }), [STRICT], wrong)
    assert.deepEqual(price({ price_bps: wrong }), [STRICT], wrong)
    assert.deepEqual(price({ price_abs: wrong }), [STRICT], wrong)
  }
  assert.deepEqual(price({ price: '2.0' }), [STRICT], 'a number without a unit')
  assert.deepEqual(price({ price_bps: '9'.repeat(64) }), [STRICT], 'too long once it is divided')
})

test('strict under the name of a unit is strict', () => {
  assert.deepEqual(price({ price_pct: 'strict' }), [STRICT])
})

test('the proposal only adds to what holds already', () => {
  const drift_envelope = { price_pct: '0.5', price_abs: 3, held: 'strict' }
  const added = [percent('0.5'), absolute('3')]
  assert.deepEqual(price({}, { drift_envelope }), [DEFAULT, ...added])
  assert.deepEqual(price({ price_pct: '2' }, { drift_envelope }), [percent('2'), ...added])
  assert.deepEqual(listBounds('held', 'position', {}, { drift_envelope }), [STRICT, STRICT])
})

test('a general envelope in basis points is for telemetry', () => {
  for (const drift_envelope_bps of [50, '50', '50.00', 5e1])
    assert.deepEqual(price({}, { drift_envelope_bps }), [DEFAULT, percent('0.5')])
  assert.deepEqual(listBounds('held', 'position', {}, { drift_envelope_bps: 50 }), [STRICT])
  assert.deepEqual(listBounds('cash', 'balance', {}, { drift_envelope_bps: 50 }), [STRICT])
})

test('slippage is the drift of the price, whatever kind of field it is', () => {
  const constraints = { max_slippage_bps: 25 }
  assert.deepEqual(price({}, constraints), [DEFAULT, percent('0.25')])
  assert.deepEqual(listBounds('price', 'balance', {}, constraints), [STRICT, percent('0.25')])
  assert.deepEqual(listBounds('volume', 'telemetry', {}, constraints), [DEFAULT])
})

test('what the proposal says and cannot be read is strict until it is refused', () => {
  assert.deepEqual(price({}, { drift_envelope: { price_pct: {} } }), [DEFAULT, STRICT])
  assert.deepEqual(price({}, { drift_envelope_bps: 'much' }), [DEFAULT, STRICT])
  assert.deepEqual(price({}, { max_slippage_bps: -1 }), [DEFAULT, STRICT])
  assert.deepEqual(price({}, { drift_envelope: ['price_pct'] }), [DEFAULT])
})

test('a proposal whose envelopes all have a field can be checked', () => {
  const drift_envelope = { price_pct: 0.5, price_bps: '50', price_abs: 0, held: 'strict' }
  assert.deepEqual(listUncheckable(FIELDS, {}), [])
  assert.deepEqual(listUncheckable({}, { max_price: 3, drift_envelope: {} }), [])
  assert.deepEqual(
    listUncheckable(FIELDS, { drift_envelope, drift_envelope_bps: '10', max_slippage_bps: 5 }),
    [],
  )
})

test('a name that no field answers to cannot be checked', () => {
  const drift_envelope = { volume_pct: 1, price_pct: 1, volume: 'strict', prices_pct: 1, _pct: 1 }
  assert.deepEqual(listUncheckable(FIELDS, { drift_envelope }), [
    'drift_envelope._pct',
    'drift_envelope.prices_pct',
    'drift_envelope.volume',
    'drift_envelope.volume_pct',
  ])
  const { held } = FIELDS
  assert.ok(held !== undefined)
  const general = { drift_envelope_bps: 50, max_slippage_bps: 50 }
  assert.deepEqual(listUncheckable({ held }, general), ['drift_envelope_bps', 'max_slippage_bps'])
  assert.deepEqual(listUncheckable({}, general), ['drift_envelope_bps', 'max_slippage_bps'])
})

test('a name that every object has is nobody’s field', () => {
  assert.deepEqual(listUncheckable(FIELDS, { drift_envelope: { toString: 'strict' } }), [
    'drift_envelope.toString',
  ])
  assert.deepEqual(listBounds('toString', 'telemetry', {}, { drift_envelope: {} }), [DEFAULT])
})

test('a value that cannot be read cannot be checked', () => {
  for (const wrong of ['much', '', -1, '-0.1', '1e3', 1e300, null, true, [], {}, ['strict']]) {
    const shown = JSON.stringify(wrong)
    const entry = listUncheckable(FIELDS, { drift_envelope: { price_pct: wrong } })
    assert.deepEqual(entry, ['drift_envelope.price_pct'], shown)
    assert.deepEqual(listUncheckable(FIELDS, { drift_envelope_bps: wrong }), ['drift_envelope_bps'])
    assert.deepEqual(listUncheckable(FIELDS, { max_slippage_bps: wrong }), ['max_slippage_bps'])
  }
  assert.deepEqual(listUncheckable(FIELDS, { drift_envelope: { price: '2.0' } }), [
    'drift_envelope.price',
  ])
  assert.deepEqual(listUncheckable(FIELDS, { drift_envelope_bps: 'strict' }), [
    'drift_envelope_bps',
  ])
})

test('an envelope that is not a map cannot be checked', () => {
  for (const drift_envelope of ['strict', 50, null, ['price_pct']])
    assert.deepEqual(listUncheckable(FIELDS, { drift_envelope }), ['drift_envelope'])
})

test('a name is that of a field with its unit, or of a field alone', () => {
  assert.deepEqual(listNamedFields('price_pct', '2'), ['price'])
  assert.deepEqual(listNamedFields('price_pct', 'strict'), ['price_pct', 'price'])
  assert.deepEqual(listNamedFields('price', 'strict'), ['price'])
  assert.deepEqual(listNamedFields('price', '2'), [])
  assert.deepEqual(listNamedFields('_pct', '2'), [])
  assert.deepEqual(listNamedFields('', 'strict'), [])
})

test('a field may be called like a unit: what cannot be meant for it is strict for it', () => {
  const contract = { drawdown_pct: '5' }
  assert.deepEqual(listBounds('drawdown', 'telemetry', contract, {}), [percent('5')])
  assert.deepEqual(listBounds('drawdown_pct', 'telemetry', contract, {}), [STRICT])
  const own = { drawdown_pct_abs: '0.2' }
  assert.deepEqual(listBounds('drawdown_pct', 'telemetry', own, {}), [absolute('0.2')])
})
