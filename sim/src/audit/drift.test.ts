import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, JsonObject, JsonValue, SignedIntent } from 'rubicon-kernel'
import { AuditedDrift, type LastLook } from './drift.ts'
import type { Line } from './report.ts'

const LINE = { trajectory: 'main', seq: 7 } as Line
const AT = '2026-06-01T12:00:00.000Z'
const PRICE = { price: { path: 'price.x', kind: 'telemetry' } }

type Case = {
  readonly was: JsonValue
  readonly is: JsonValue
  readonly envelope?: JsonObject
  readonly asked?: JsonObject
  readonly kind?: string
  readonly now?: string
  readonly oldest?: number
  readonly said?: JsonValue
  readonly label?: string
  readonly drift?: readonly JsonObject[]
}

function lookOf(given: Case): LastLook {
  const { was, is, envelope = {}, asked = {}, now = AT, oldest, drift, label = 'operator' } = given
  const report = { field: 'price', path: 'price.x', was, is, within: true }
  const jit_verification = { drift_envelope: envelope, max_state_age_ms: oldest }
  const facts = {
    now,
    seen: [{ path: 'price.x', value: was, observed_at: AT }],
    state: [{ path: 'price.x', value: is, observed_at: AT, label }],
  }
  return {
    intent: { policy_kind: 'TRADE', params: {} } as unknown as SignedIntent,
    facts: facts as unknown as LastLook['facts'],
    proposal: { execution_constraints: asked },
    jit: { drift: drift ?? [report] },
    contract: { jit_verification, permissions: {} } as unknown as Contract,
  }
}

/** How many findings a dispatch on these values has. */
function found(given: Case): number {
  const details: string[] = []
  const { kind = 'telemetry', said = given.is } = given
  const audited = new AuditedDrift((_invariant, detail) => void details.push(detail), {
    watched: () => ({ price: { ...PRICE.price, kind } }),
    lastWord: () => ({ value: said, observed_at: AT, version: 1 }),
  })
  audited.auditDispatch(LINE, lookOf(given))
  return details.length
}

test('a value may move as far as the contract says, to the last digit', () => {
  const cases: readonly (readonly [JsonObject, JsonValue, JsonValue, number])[] = [
    [{ price_pct: '1' }, '100.00', '101', 0],
    [{ price_pct: '1' }, '100.00', '99.0', 0],
    [{ price_pct: '1' }, '100.00', '101.00000000000000000001', 1],
    [{ price_pct: '1' }, 100.1, '98', 1],
    [{ price_bps: 40 }, 200, 200.8, 0],
    [{ price_bps: 40 }, 200, 200.801, 1],
    [{ price_abs: '0.5' }, '-0.2', '0.3', 0],
    [{ price_abs: '0.5' }, '-0.2', '0.31', 1],
    [{ price: 'strict' }, '1.50', 1.5, 0],
    [{ price: 'strict' }, '1.50', '1.51', 1],
    [{ price: '5' }, '1.50', '1.51', 1],
    [{ price_pct: 'strict' }, '1.50', '1.51', 1],
    [{ price_pct: '5', price_abs: '0.1' }, '10', '10.2', 1],
    [{ other_pct: '5' }, '1000', '1001', 0],
    [{ price_pct: '0' }, 0, '0.0', 0],
    [{ price_pct: '50' }, 0, '0.001', 1],
  ]
  for (const [envelope, was, is, findings] of cases)
    assert.equal(found({ envelope, was, is }), findings, JSON.stringify({ envelope, was, is }))
})

test('where the contract is silent, telemetry may move a little, and what is owned not at all', () => {
  assert.equal(found({ was: '1000', is: '1001' }), 0)
  assert.equal(found({ was: '1000', is: '1001.01' }), 1)
  assert.equal(found({ was: '1000', is: '1000.0', kind: 'position' }), 0)
  assert.equal(found({ was: '1000', is: '1000.1', kind: 'position' }), 1)
})

test('what the agent asks for is added, and can only be stricter', () => {
  const moved = { envelope: { price_pct: '1' }, was: '100', is: '100.5' }
  assert.equal(found(moved), 0)
  for (const asked of [
    { max_slippage_bps: 49 },
    { drift_envelope_bps: 49 },
    { drift_envelope: { price_abs: 0.49 } },
  ])
    assert.equal(found({ ...moved, asked }), 1, JSON.stringify(asked))
  assert.equal(found({ ...moved, asked: { max_slippage_bps: 50 } }), 0)
  assert.equal(found({ ...moved, kind: 'balance', asked: { drift_envelope_bps: 1 } }), 0)
})

test('what is no number holds only unchanged', () => {
  assert.equal(found({ was: { b: 1, a: 2 }, is: { a: 2, b: 1 } }), 0)
  assert.equal(found({ was: 'open', is: 'closed' }), 1)
})

test('a report that is missing, of something else, or says no is found', () => {
  const same = { was: '1', is: '1' }
  const report = { field: 'price', path: 'price.x', ...same, within: true }
  assert.equal(found({ ...same, drift: [report] }), 0)
  for (const changed of [
    { within: false },
    { path: 'price.y' },
    { was: '2' },
    { is: '2' },
    { field: 'spread' },
  ])
    assert.equal(found({ ...same, drift: [{ ...report, ...changed }] }), 1, JSON.stringify(changed))
  assert.equal(found({ ...same, drift: [] }), 2)
  assert.equal(found({ ...same, drift: [report, report] }), 1)
})

test('State is as old as the contract allows, on either side, and no older', () => {
  const same = { was: '1', is: '1', oldest: 1000 }
  assert.equal(found({ ...same, now: '2026-06-01T12:00:01.000Z' }), 0)
  assert.equal(found({ ...same, now: '2026-06-01T12:00:01.001Z' }), 1)
  assert.equal(found({ ...same, now: '2026-06-01T11:59:58.999Z' }), 1)
  const news = { ...same, label: 'external', now: '2026-06-01T13:00:00.000Z' }
  assert.equal(found(news), 0, 'which decides nothing')
})

test('a decision on something else than was said last is found', () => {
  assert.equal(found({ was: '1', is: '1', said: '1' }), 0)
  assert.equal(found({ was: '1', is: '1', said: '1.0' }), 1)
})

test('an observation that somebody was told of stays, or a later one does (I4)', () => {
  const details: string[] = []
  let version = 3
  const audited = new AuditedDrift((invariant) => void details.push(invariant), {
    watched: () => ({}),
    lastWord: () => ({ value: 1, observed_at: AT, version }),
  })
  audited.auditObservation({ path: 'price.x', version: 3 })
  audited.auditObservation({ path: 'price.x', version: 2 })
  version = 4
  audited.finish()
  assert.deepEqual(details, [])
  version = 2
  audited.finish()
  assert.deepEqual(details, ['I4'])
})
