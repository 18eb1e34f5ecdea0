import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import type { Contract, Limit } from './contract.ts'
import { checkLimits, type LimitInput } from './limit-check.ts'
import { parseContract } from './parse-contract.ts'
import type { Regex } from './pattern.ts'

function contractWith(limits: readonly JsonObject[]): Contract {
  const result = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions: { policy_kinds: ['BUY', 'SELL'], limits },
    reason_codes: { TOO_BIG: { kernel: 'ORDER_VALUE_EXCEEDED', summary: 's' } },
  })
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

type Given = Partial<Pick<LimitInput, 'policyKind' | 'params' | 'measures' | 'regex'>> & {
  readonly state?: Readonly<Record<string, JsonValue>>
}

/** `code`, with `!` where a person may lift it, for each failing limit. */
function codes(limits: readonly JsonObject[], given: Given): readonly string[] {
  return codesUnder(contractWith(limits), given)
}

function codesUnder(contract: Contract, given: Given): readonly string[] {
  const { state = {}, ...rest } = given
  const found = checkLimits({
    contract,
    policyKind: 'BUY',
    params: {},
    measures: {},
    state: (path) => state[path],
    ...rest,
  })
  return found.map(({ refusal, escalate }) => `${refusal.code}${escalate ? '!' : ''}`)
}

const range = { id: 'r', measure: 'm', min: '0.1', max: '50000.00' }

test('bounds are inside, and what is just beyond them is not', () => {
  for (const m of ['0.1', 0.1, '0.10', 50000, '50000.000', '7']) {
    assert.deepEqual(codes([range], { measures: { m } }), [], String(m))
  }
  for (const m of ['0.0999999999999999999999', '50000.0000000000000000001', -1, '50001']) {
    assert.deepEqual(codes([range], { measures: { m } }), ['LIMIT_EXCEEDED'], String(m))
  }
})

test('a sum that floats get wrong is decided as a decimal', () => {
  const limit = { id: 'r', measure: 'm', max: '0.3' }
  assert.deepEqual(codes([limit], { measures: { m: '0.3' } }), [])
  assert.deepEqual(codes([limit], { measures: { m: 0.1 + 0.2 } }), ['LIMIT_EXCEEDED'])
})

test('a value that is missing or no decimal refuses, and nobody can lift it', () => {
  const limit = { ...range, on_breach: 'escalate' }
  for (const measures of [
    {},
    { m: undefined },
    { m: 'much' },
    { m: null },
    { m: [1] },
    { m: true },
  ]) {
    assert.deepEqual(codes([limit], { measures }), ['MEASURE_UNAVAILABLE'])
  }
  assert.deepEqual(codes([limit], { measures: { m: 60000 } }), ['AUTHORITY_CEILING!'])
})

test('a name of the prototype is no measure and no parameter', () => {
  const byMeasure = { id: 'a', measure: 'constructor', allowed: ['*'] }
  const byField = { id: 'b', field: '/order/toString', allowed: ['*'] }
  const params = { order: {} }
  assert.deepEqual(codes([byMeasure, byField], { params }), [
    'MEASURE_UNAVAILABLE',
    'MEASURE_UNAVAILABLE',
  ])
})

test('a field is a parameter by its pointer', () => {
  const limit = { id: 'q', field: '/order/quantity', max: 3 }
  assert.deepEqual(codes([limit], { params: { order: { quantity: '3' } } }), [])
  assert.deepEqual(codes([limit], { params: { order: { quantity: '3.1' } } }), ['LIMIT_EXCEEDED'])
  assert.deepEqual(codes([limit], { params: { order: 4 } }), ['MEASURE_UNAVAILABLE'])
})

test('a field with a star bounds each element, and one that is missing refuses', () => {
  const limit = { id: 'q', field: '/orders/*/quantity', max: 3, on_breach: 'escalate' }
  const orders = (...quantities: readonly unknown[]): JsonObject => {
    return { orders: quantities.map((quantity) => ({ quantity })) as JsonValue }
  }
  assert.deepEqual(codes([limit], { params: orders('1', 3) }), [])
  assert.deepEqual(codes([limit], { params: orders('1', '3.1') }), ['AUTHORITY_CEILING!'])
  // Nobody lifts what nobody knows.
  assert.deepEqual(codes([limit], { params: orders('9', 'much') }), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(codes([limit], { params: orders() }), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(codes([limit], { params: { orders: [{ quantity: 1 }, {}] } }), [
    'MEASURE_UNAVAILABLE',
  ])
  assert.deepEqual(codes([limit], { params: {} }), ['MEASURE_UNAVAILABLE'])
  const set = { id: 's', field: '/orders/*/quantity', allowed: ['1', '2'] }
  assert.deepEqual(codes([set], { params: orders('1', 2) }), [])
  assert.deepEqual(codes([set], { params: orders('1', '3') }), ['LIMIT_EXCEEDED'])
})

test('finding 4a: a negative amount never passes a maximum', () => {
  const millions = { m: '-1000000' }
  const limit = { id: 'm', measure: 'm', max: '50000' }
  assert.deepEqual(codes([limit], { measures: millions }), ['LIMIT_EXCEEDED'])
  assert.deepEqual(codes([limit], { measures: { m: '0' } }), [])
  const field = { id: 'f', field: '/amount', max: '50000' }
  assert.deepEqual(codes([field], { params: { amount: -1 } }), ['LIMIT_EXCEEDED'])
  const ratio = { id: 'r', measure: 'm', of: 'n', max: '0.5' }
  assert.deepEqual(codes([ratio], { measures: { m: '-1', n: '10' } }), ['LIMIT_EXCEEDED'])
  assert.deepEqual(codes([ratio], { measures: { m: '0', n: '10' } }), [])
  const stated = { ...limit, min: '-2000000' }
  assert.deepEqual(codes([stated], { measures: millions }), [], 'where the contract says so')
  // Also in a contract that no parser of ours has completed.
  const { permissions, ...rest } = contractWith([limit])
  const limits = permissions.limits.map((one) => ({ ...one, min: undefined }) as unknown as Limit)
  const raw: Contract = { ...rest, permissions: { ...permissions, limits } }
  assert.deepEqual(codesUnder(raw, { measures: millions }), ['LIMIT_EXCEEDED'])
})

test('a limit applies to the kinds it names', () => {
  const limit = { ...range, applies_to: ['SELL'] }
  assert.deepEqual(codes([limit], { measures: { m: 60000 } }), [])
  assert.deepEqual(codes([limit], { policyKind: 'SELL', measures: { m: 60000 } }), [
    'LIMIT_EXCEEDED',
  ])
})

test('all failing limits are reported in the order of the contract', () => {
  const limits = [
    { id: '1', measure: 'm', max: 1, reason_code: 'ORDER_VALUE_EXCEEDED' },
    { id: '2', measure: 'm', max: 9 },
    { id: '3', measure: 'gone', max: 1 },
    { id: '4', measure: 'm', max: 2, on_breach: 'escalate' },
  ]
  assert.deepEqual(codes(limits, { measures: { m: 5 } }), [
    'ORDER_VALUE_EXCEEDED',
    'MEASURE_UNAVAILABLE',
    'AUTHORITY_CEILING!',
  ])
})

test('a domain code stands beside the kernel code it is a word for', () => {
  const contract = contractWith([{ ...range, reason_code: 'TOO_BIG' }])
  const input = { contract, policyKind: 'BUY', params: {}, state: () => undefined }
  const [breach] = checkLimits({ ...input, measures: { m: '60000.50' } })
  assert.deepEqual(breach?.refusal, {
    code: 'ORDER_VALUE_EXCEEDED',
    domain_code: 'TOO_BIG',
    details: { limit: 'r', checked: 'm', value: '60000.5', min: '0.1', max: '50000' },
  })
  const forgotten = { ...contract, reason_codes: {} }
  const [unregistered] = checkLimits({ ...input, contract: forgotten, measures: { m: 0 } })
  assert.equal(unregistered?.refusal.code, 'LIMIT_EXCEEDED')
})

test('sets compare texts', () => {
  const limit = { id: 's', measure: 'm', allowed: ['ETH-*', '7', 'true'], denied: ['ETH-X'] }
  for (const m of ['ETH-USD', 7, true, ['ETH-A', 7]]) {
    assert.deepEqual(codes([limit], { measures: { m } }), [], String(m))
  }
  for (const m of ['BTC', 'ETH-X', 8, ['ETH-A', 'ETH-X'], ['ETH-A', 'BTC']]) {
    assert.deepEqual(codes([limit], { measures: { m } }), ['LIMIT_EXCEEDED'], String(m))
  }
  for (const m of [null, {}, [], [[]]]) {
    assert.deepEqual(codes([limit], { measures: { m } }), ['MEASURE_UNAVAILABLE'])
  }
})

test('an expression without an engine is a value that nobody knows, allowed or denied', () => {
  const regex = (expression: string, value: string): boolean => expression === value
  const allowed = { id: 'a', measure: 'm', allowed: ['re:x'] }
  const denied = { id: 'd', measure: 'm', denied: ['re:x', 'y'] }
  const measures = { m: 'x' }
  assert.deepEqual(codes([allowed], { measures }), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(codes([allowed], { measures, regex }), [])
  assert.deepEqual(codes([denied], { measures: { m: 'z' } }), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(codes([denied], { measures: { m: 'y' } }), ['LIMIT_EXCEEDED'])
  assert.deepEqual(codes([denied], { measures: { m: 'z' }, regex }), [])
  assert.deepEqual(codes([denied], { measures, regex }), ['LIMIT_EXCEEDED'])
})

test('what takes too long to be held against patterns is unknown, and no person can lift that', () => {
  const most = LIMITS.patternSteps
  const counted = (states: number): Regex =>
    Object.assign(() => true, { states: (): number => states })
  const limit = { id: 'a', measure: 'm', allowed: ['re:x'], on_breach: 'escalate' as const }
  const given = (length: number): JsonValue => 'v'.repeat(length)
  const found = (states: number, length: number): readonly string[] =>
    codes([limit], { measures: { m: given(length) }, regex: counted(states) })
  assert.deepEqual(found(100, most / 200), [])
  assert.deepEqual(found(100, most / 100), ['MEASURE_UNAVAILABLE'])
  const denied = { id: 'd', measure: 'm', denied: ['re:y'], on_breach: 'escalate' as const }
  const regex = Object.assign(() => false, { states: (): number => most })
  assert.deepEqual(codes([denied], { measures: { m: 'v' }, regex }), ['MEASURE_UNAVAILABLE'])
  const long = { id: 'l', measure: 'm', allowed: [`re:${'x'.repeat(most / 64)}`, 'v'] }
  assert.deepEqual(codes([long], { measures: { m: 'v' }, regex: assert.fail as never }), [
    'MEASURE_UNAVAILABLE',
  ])
})

test('many values against many patterns are refused, in however many limits they stand', () => {
  const patterns = Array.from({ length: 1_000 }, (_, index) => `p${index}`)
  const values = (count: number): JsonValue => Array.from({ length: count }, () => 'p999')
  const limit = (id: string): JsonObject => ({ id, measure: 'm', allowed: patterns })
  const limits = [limit('a'), limit('b')]
  assert.deepEqual(codes(limits, { measures: { m: values(500) } }), [])
  assert.deepEqual(codes(limits, { measures: { m: values(600) } }), ['MEASURE_UNAVAILABLE'])
})

test('the state must be the expected one', () => {
  const limit = { id: 'o', field: 'market.state', expected: 'open' }
  assert.deepEqual(codes([limit], { state: { 'market.state': 'open' } }), [])
  assert.deepEqual(codes([limit], { state: { 'market.state': 'shut' } }), ['STATE_MISMATCH'])
  assert.deepEqual(codes([limit], {}), ['MEASURE_UNAVAILABLE'])
})

test('an expected number is met by value, an expected text by its letters', () => {
  const number = { id: 'n', field: 's', expected: 100 }
  const text = { id: 't', field: 's', expected: '100' }
  assert.deepEqual(codes([number], { state: { s: '100.00' } }), [])
  assert.deepEqual(codes([text], { state: { s: '100.00' } }), ['STATE_MISMATCH'])
  assert.deepEqual(codes([number], { state: { s: 'open' } }), ['STATE_MISMATCH'])
})

test('a ratio is multiplied out', () => {
  const limit = { id: 'q', measure: 'part', of: 'whole', max: '0.3' }
  const at = (part: JsonValue, whole: JsonValue): readonly string[] =>
    codes([limit], { measures: { part, whole } })
  assert.deepEqual(at('0.9', 3), [])
  assert.deepEqual(at('0.90000000000000000000001', 3), ['LIMIT_EXCEEDED'])
  assert.deepEqual(at(1, 0), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(at(1, -3), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(at(1, 'x'), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(at('x', 1), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(codes([limit], {}), ['MEASURE_UNAVAILABLE'])
})

test('a limit whose own bound cannot be read refuses', () => {
  const contract = contractWith([])
  const common = { id: 'x', on_breach: 'escalate', reason_code: 'LIMIT_EXCEEDED' } as const
  const limits: readonly Limit[] = [
    { ...common, kind: 'range', measure: 'm', max: 'lots' },
    { ...common, kind: 'range', max: '1' },
    { ...common, kind: 'ratio', measure: 'm', of: 'm', max: 'lots' },
  ]
  const found = checkLimits({
    contract: { ...contract, permissions: { ...contract.permissions, limits } },
    policyKind: 'BUY',
    params: {},
    measures: { m: 1 },
    state: () => undefined,
  })
  assert.deepEqual(
    found.map(({ refusal, escalate }) => [refusal.code, escalate]),
    limits.map(() => ['MEASURE_UNAVAILABLE', false]),
  )
})

test('a range agrees with whole numbers of minor units', () => {
  const cents = fc.bigInt({ min: -10_000n, max: 10_000n })
  const text = (units: bigint): string => {
    const size = units < 0n ? -units : units
    const sign = units < 0n ? '-' : ''
    return `${sign}${size / 100n}.${String(size % 100n).padStart(2, '0')}`
  }
  fc.assert(
    fc.property(cents, cents, (value, max) => {
      const limit = { id: 'r', measure: 'm', min: '-100.00', max: text(max) }
      const passes = codes([limit], { measures: { m: text(value) } }).length === 0
      assert.equal(passes, value <= max)
    }),
  )
})

test('a breach names the bounds that there are', () => {
  const details = (limit: JsonObject): JsonObject | undefined =>
    checkLimits({
      contract: contractWith([limit]),
      policyKind: 'BUY',
      params: {},
      measures: { m: '5' },
      state: () => undefined,
    })[0]?.refusal.details
  const shown = { limit: 'r', checked: 'm', value: '5' }
  assert.deepEqual(details({ id: 'r', measure: 'm', min: '6' }), { ...shown, min: '6' })
  assert.deepEqual(details({ id: 'r', measure: 'm', max: '4' }), {
    ...shown,
    min: '0',
    max: '4',
  })
})

test('a bound that cannot be read holds for nothing, and an unknown limit is a bug', () => {
  const judged = (change: object): readonly string[] => {
    const contract = contractWith([range])
    const [limit] = contract.permissions.limits
    const limits = [{ ...limit, ...change } as Limit]
    return checkLimits({
      contract: { ...contract, permissions: { ...contract.permissions, limits } },
      policyKind: 'BUY',
      params: {},
      measures: { m: '5' },
      state: () => undefined,
    }).map(({ refusal }) => refusal.code)
  }
  assert.deepEqual(judged({}), [])
  assert.deepEqual(judged({ min: 'low' }), ['MEASURE_UNAVAILABLE'])
  assert.deepEqual(judged({ max: 'high' }), ['MEASURE_UNAVAILABLE'])
  assert.throws(() => judged({ kind: 'other' }), /unreachable/)
})

type LimitAnswers = NonNullable<LimitInput['answers']>

test('what touches nothing has no amounts and no names that could be missing', () => {
  const limits = [
    { id: 'size', field: '/amount', max: '1' },
    { id: 'place', field: '/to', allowed: ['A'] },
  ]
  const found = (touches: LimitAnswers['touches'], params: JsonObject): readonly string[] =>
    checkLimits({
      contract: contractWith(limits),
      policyKind: 'BUY',
      params,
      measures: {},
      state: () => undefined,
      answers: { measures: [], ...(touches === undefined ? {} : { touches }) },
    }).map(({ limit }) => limit.id)
  assert.deepEqual(found('none', {}), [])
  assert.deepEqual(found('none', { to: 'B' }), ['place'])
  assert.deepEqual(found(undefined, {}), ['size', 'place'])
})
