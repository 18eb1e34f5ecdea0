import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import {
  type DriftInput,
  type FieldReport,
  isWithinBound,
  measureDrift,
  type Observed,
} from './drift.ts'
import type { Bound, FieldKind } from './envelope.ts'

const NOW = '2026-03-02T10:00:00.000Z'
const SHOWN = '2026-03-02T09:59:50.000Z'

type Case = {
  readonly was?: JsonValue
  readonly is?: JsonValue
  readonly kind?: FieldKind
  readonly envelope?: Readonly<Record<string, string>>
  readonly constraints?: JsonObject
  readonly observed_at?: string
  readonly now?: string
}

/** One field, `price`. A member that is left out is a value that nobody has. */
function inputOf(one: Case): DriftInput {
  const value = (held: JsonValue | undefined, observed_at: string): Observed | undefined =>
    held === undefined ? undefined : { value: held, observed_at }
  return {
    now: one.now ?? NOW,
    fields: { price: { path: 'market.price', kind: one.kind ?? 'telemetry' } },
    envelope: one.envelope ?? {},
    constraints: one.constraints ?? {},
    was: () => value(one.was, SHOWN),
    is: () => value(one.is, one.observed_at ?? NOW),
  }
}

function measure(one: Case): FieldReport {
  const [report] = measureDrift(inputOf(one))
  assert.ok(report !== undefined)
  return report
}

const half = { envelope: { price_pct: '0.5' } }

test('from 99.50 to 101.20 is more than half a percent, from 99.50 to 99.90 is less', () => {
  assert.deepEqual(measure({ was: '99.50', is: '101.20', ...half }), {
    field: 'price',
    path: 'market.price',
    was: '99.50',
    is: '101.20',
    age_ms: 0,
    percent: '1.708543',
    absolute: '1.7',
    bounds: [{ kind: 'percent', limit: '0.5' }],
    within: false,
  })
  const near = measure({ was: '99.50', is: '99.90', ...half })
  assert.deepEqual([near.within, near.percent, near.absolute], [true, '0.402011', '0.4'])
})

test('a movement of exactly the limit is within it, the least more is not', () => {
  const cases: readonly [JsonValue, JsonValue, Readonly<Record<string, string>>, boolean][] = [
    ['200', '201', { price_pct: '0.5' }, true],
    ['200', '199', { price_pct: '0.5' }, true],
    ['200', '201.0000000000000001', { price_pct: '0.5' }, false],
    ['200', '198.9999999999999999', { price_pct: '0.5' }, false],
    ['200', '201', { price_bps: '50' }, true],
    ['200', '201', { price_bps: '49.99' }, false],
    ['200', '203', { price_abs: '3' }, true],
    ['200', '197', { price_abs: '3' }, true],
    ['200', '203.01', { price_abs: '3' }, false],
    ['200', '196.99', { price_abs: '3' }, false],
    ['-200', '-201', { price_pct: '0.5' }, true],
    ['-200', '-201.01', { price_pct: '0.5' }, false],
    ['1', '-1', { price_abs: '2' }, true],
    ['1', '-1', { price_pct: '199' }, false],
    [1000, 1001, {}, true],
    [1000, 1001.01, {}, false],
  ]
  for (const [was, is, envelope, within] of cases)
    assert.equal(measure({ was, is, envelope }).within, within, `${was} to ${is}`)
})

test('what decides is not what is shown: a movement beyond the last shown place counts', () => {
  const { within, percent } = measure({ was: '100', is: '100.50000000001', ...half })
  assert.deepEqual([within, percent], [false, '0.500001'])
  const least = measure({ was: '1', is: '1.00000000000001', envelope: { price: 'strict' } })
  assert.deepEqual([least.within, least.percent, least.absolute], [false, '0.000001', '0.000001'])
})

test('from zero there is no percentage, only an amount', () => {
  const wide = { price_pct: '1000000' }
  const moved = measure({ was: 0, is: '0.01', envelope: wide })
  assert.deepEqual([moved.within, moved.percent, moved.absolute], [false, null, '0.01'])
  const still = measure({ was: 0, is: '0.00', envelope: wide })
  assert.deepEqual([still.within, still.percent, still.absolute], [true, null, '0'])
  assert.equal(measure({ was: 0, is: '0.01', envelope: { price_abs: '0.01' } }).within, true)
  assert.equal(measure({ was: '5', is: 0, envelope: { price_pct: '100' } }).within, true)
})

test('strict compares numbers as numbers, and everything else in canonical form', () => {
  const strict = (was: JsonValue, is: JsonValue): boolean =>
    measure({ was, is, kind: 'position' }).within
  assert.equal(strict(100, '100.0'), true)
  assert.equal(strict('100', '100.01'), false)
  assert.equal(strict('OPEN', 'OPEN'), true)
  assert.equal(strict('OPEN', 'open'), false)
  assert.equal(strict({ a: 1, b: [null] }, { b: [null], a: 1 }), true)
  assert.equal(strict({ a: 1 }, { a: '1' }), false)
  assert.equal(strict(null, null), true)
  assert.equal(strict(null, false), false)
  assert.equal(strict('1', 'one'), false)
})

test('what is no number is within a tolerance only unchanged', () => {
  for (const envelope of [{ price_pct: '1000' }, { price_abs: '1000' }]) {
    const same = measure({ was: 'high', is: 'high', envelope })
    assert.deepEqual([same.within, same.percent, same.absolute], [true, null, null])
    assert.equal(measure({ was: 'high', is: 'low', envelope }).within, false)
    assert.equal(measure({ was: '100', is: '1e2', envelope }).within, false)
    assert.equal(measure({ was: '1,00', is: '100', envelope }).within, false)
  }
})

test('all bounds must hold', () => {
  const envelope = { price_pct: '10', price_abs: '2' }
  assert.equal(measure({ was: '100', is: '102', envelope }).within, true)
  assert.equal(measure({ was: '100', is: '103', envelope }).within, false, 'too much in amount')
  assert.equal(measure({ was: '10', is: '12', envelope }).within, false, 'too much in percent')
})

test('whoever is stricter wins, contract or proposal', () => {
  const moved = { was: '100', is: '101' }
  const narrow = { drift_envelope: { price_pct: '0.5' } }
  const wide = { drift_envelope: { price_pct: '5' } }
  assert.equal(measure({ ...moved, envelope: { price_pct: '2' } }).within, true)
  assert.equal(
    measure({ ...moved, envelope: { price_pct: '2' }, constraints: narrow }).within,
    false,
  )
  assert.equal(
    measure({ ...moved, envelope: { price_pct: '0.5' }, constraints: wide }).within,
    false,
  )
  assert.equal(measure({ ...moved, constraints: wide }).within, false, 'the default stands')
})

test('a value that the agent was not shown, or that nobody has now, is not within', () => {
  const common = { field: 'price', path: 'market.price', within: false }
  const bounds = [{ kind: 'percent', limit: '1000' }]
  const envelope = { price_pct: '1000' }
  const unseen = measure({ is: '7', envelope })
  assert.deepEqual(unseen, { ...common, was: null, is: '7', age_ms: 0, bounds })
  const gone = measure({ was: '7', envelope })
  assert.deepEqual(gone, { ...common, was: '7', is: null, age_ms: null, bounds })
  assert.equal(measure({ envelope }).within, false)
})

test('the age is that of the live value, where its time can be read', () => {
  const value = { was: '1', is: '1' }
  assert.equal(measure({ ...value, observed_at: '2026-03-02T09:59:59.500Z' }).age_ms, 500)
  assert.equal(measure({ ...value, observed_at: '2026-03-02T10:00:00.250Z' }).age_ms, -250)
  assert.equal(measure({ ...value, observed_at: 'lately' }).age_ms, null)
  assert.equal(measure({ ...value, now: 'about noon' }).age_ms, null)
})

test('fields are reported in the order of their names, each with its own value', () => {
  const fields = {
    volume: { path: 'b', kind: 'telemetry' },
    Zeta: { path: 'c', kind: 'balance' },
    price: { path: 'a', kind: 'telemetry' },
  } as const
  const input: DriftInput = {
    ...inputOf({}),
    fields,
    was: (path) => ({ value: path, observed_at: SHOWN }),
    is: (path) => ({ value: path === 'b' ? 'moved' : path, observed_at: NOW }),
  }
  assert.deepEqual(
    measureDrift(input).map(({ field, path, within }) => [field, path, within]),
    [
      ['Zeta', 'c', true],
      ['price', 'a', true],
      ['volume', 'b', false],
    ],
  )
  assert.deepEqual(measureDrift({ ...input, fields: {} }), [])
})

test('a bound that nobody knows is a bug, not a pass', () => {
  const unknown = { kind: 'loose' } as unknown as Bound
  assert.throws(() => isWithinBound(unknown, '1', '1'), /unreachable/)
  assert.throws(() => isWithinBound({ kind: 'percent', limit: 'much' }, '1', '1'), /decimal text/)
})

const decimalText = fc
  .record({ whole: fc.integer({ min: -50, max: 50 }), part: fc.nat(99) })
  .map(({ whole, part }) => (whole === 0 ? `0.${part + 100}` : `${whole}.${part}`))
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: decimalText },
  { weight: 2, arbitrary: fc.integer({ min: -50, max: 50 }).map((n) => n + 0) },
  { weight: 1, arbitrary: fc.constantFrom('OPEN', 'CLOSED', null, true) },
)
const limit = fc.oneof(
  fc.constantFrom('strict', '0', '0.5', '50', '1000', 'much', '-1'),
  fc.nat(200).map(String),
)
const name = fc.constantFrom('price', 'price_pct', 'price_bps', 'price_abs', 'volume_pct')
const envelope = fc.dictionary(name, limit, { maxKeys: 3 })
const asked: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      drift_envelope: fc.oneof(envelope, fc.constantFrom('wide', null)),
      drift_envelope_bps: limit,
      max_slippage_bps: limit,
    },
    { requiredKeys: [] },
  )
  .map((constraints) => constraints as JsonObject)
const kind: fc.Arbitrary<FieldKind> = fc.constantFrom('balance', 'position', 'telemetry')
const situation = fc.record({ was: value, is: value, kind, envelope })

test('whatever a proposal asks for, it never lets pass what did not pass before', () => {
  let [held, narrowed] = [0, 0]
  fc.assert(
    fc.property(situation, asked, (one, constraints) => {
      const before = measure(one).within
      const after = measure({ ...one, constraints }).within
      assert.ok(before || !after)
      if (before) held += 1
      if (before && !after) narrowed += 1
    }),
    { numRuns: 2000 },
  )
  assert.ok(held > 0 && narrowed > 0, 'the law was tried on both sides')
})

test('up and down, positive and negative: the same distance is judged the same', () => {
  const amount = fc.integer({ min: -1000, max: 1000 })
  fc.assert(
    fc.property(amount, amount, envelope, kind, (from, by, bounds, of) => {
      const judged = (was: number, is: number): boolean =>
        measure({ was: was + 0, is: is + 0, kind: of, envelope: bounds }).within
      const up = judged(from, from + by)
      assert.equal(judged(from, from - by), up)
      assert.equal(judged(0 - from, 0 - from - by), up)
    }),
    { numRuns: 1000 },
  )
})

test('a wider tolerance keeps what a narrower one let pass', () => {
  const unit = fc.constantFrom('price_pct', 'price_bps', 'price_abs')
  fc.assert(
    fc.property(value, value, unit, fc.nat(300), fc.nat(300), (was, is, key, size, more) => {
      const within = (bound: number): boolean =>
        measure({ was, is, envelope: { [key]: String(bound) } }).within
      assert.ok(!within(size) || within(size + more))
    }),
    { numRuns: 1000 },
  )
})
