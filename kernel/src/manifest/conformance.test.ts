/** The same tool as TypeScript and as a manifest gives the same verdicts, whatever is proposed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, formatDecimal, multiplyDecimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { type CasePatch, sha256, withCase } from '../compile/case.test-support.ts'
import { USUAL } from '../compile/case-law.test-support.ts'
import { compile } from '../compile/compile.ts'
import type { Verdict } from '../compile/verdict.ts'
import type { CapabilityLaw, FactView } from '../execution/capability.ts'
import { describeManifest } from './describe-manifest.ts'
import { buildManifestLaw } from './manifest-law.ts'
import { parseManifest } from './parse-manifest.ts'

const BUY = parseManifest({
  manifest: 'rubicon/tool/1',
  kind: 'BUY',
  version: '1',
  summary: 'buys an instrument at the market',
  params: { type: 'object', additionalProperties: false },
  effect: 'unsafe',
  reversible: false,
  risk: 'high',
  measures: {
    order_value_usd: { mul: [{ param: '/quantity' }, { fact: 'market.price.{/instrument}' }] },
    quantity: { add: [{ param: '/quantity' }, { const: 0 }] },
  },
  scopes: { instruments: '/instrument' },
  resources: [
    { id: 'position:{/instrument}' },
    { id: 'account:{/account}', amount: { param: '/quantity' }, capacity: { fact: 'desk.size' } },
  ],
  jit_fields: { price: { path: 'market.price.{/instrument}', kind: 'telemetry' } },
  sinks: { '/account': ['trusted', 'operator'] },
  cost: { usd: { const: '0.01' }, volume: { param: '/quantity' } },
  precondition: [
    { require: { eq: [{ fact: 'market.open' }, { const: true }] }, else: 'the market is closed' },
  ],
  executor: { command: { argv: ['/usr/bin/buy'], applied: [0] } },
})
assert.ok(BUY.ok, JSON.stringify(BUY))
const description = describeManifest(BUY.value, sha256)

function numberOf(value: JsonValue | undefined): Decimal | undefined {
  return value === undefined ? undefined : toDecimal(value)
}

function amountOf(params: JsonObject): string {
  const quantity = numberOf(params.quantity)
  if (quantity === undefined) throw new Error('no quantity')
  return formatDecimal(quantity)
}

/** As somebody writes it who has no manifest. */
const TYPESCRIPT: Partial<CapabilityLaw> = {
  description,
  reads: ({ instrument }) => ({
    state: ['desk.size', 'market.open', `market.price.${instrument}`],
    world: [],
  }),
  measures(params: JsonObject, view: FactView) {
    const price = numberOf(view.state(`market.price.${params.instrument}`)?.value)
    const quantity = numberOf(params.quantity)
    if (quantity === undefined) return {}
    const value = price === undefined ? undefined : multiplyDecimal(quantity, price)
    return {
      quantity: formatDecimal(quantity),
      order_value_usd: value === undefined ? undefined : formatDecimal(value),
    }
  },
  resources(params, view) {
    const capacity = numberOf(view.state('desk.size')?.value)
    if (capacity === undefined) throw new Error('no desk')
    return [
      { id: `position:${params.instrument}`, amount: '1' },
      {
        id: `account:${params.account}`,
        amount: amountOf(params),
        capacity: formatDecimal(capacity),
      },
    ]
  },
  jit: ({ instrument }) => ({ price: { path: `market.price.${instrument}`, kind: 'telemetry' } }),
  cost: (params) => ({ volume: amountOf(params) }),
  precondition(_params, view) {
    const open = view.state('market.open')?.value
    if (open === undefined) return 'the market is closed: `market.open` is absent'
    return open === true ? null : 'the market is closed'
  },
}

const MANIFEST: Partial<CapabilityLaw> = { ...buildManifestLaw(BUY.value), description }

/** Who says a fact, and what; null: nobody does. */
function factOf(path: string, value: JsonValue, label: string): JsonObject | null {
  if (value === null) return null
  return {
    path,
    value,
    source: 'feed',
    label,
    observed_at: '2026-03-02T09:59:59.000Z',
    version: '1',
  }
}

/** Mostly what is usual, so that later stages are reached. */
function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  )
}

const quantities = fc.oneof(
  fc.constantFrom<JsonValue>('1', '10', '0', '-1', '1e3', '24.9999', '25', '25.0001'),
  mostly<JsonValue>('2', 'much', '', null),
  fc.integer({ min: -5, max: 100 }),
  fc
    .integer({ min: 1, max: 99_999 })
    .map((cents) => formatDecimal({ digits: BigInt(cents), scale: 3 })),
)
const labels = mostly('trusted', 'operator', 'external', 'agent')

const cases = fc.record({
  quantity: quantities,
  instrument: mostly<JsonValue>('ETH-USD', 'BTC-USD', 'DOGE-USD', '', 7),
  account: mostly<JsonValue>('ACC-1', 'ACC-2', '', 1),
  price: mostly<JsonValue>('2000', '1999.99', 2000, 'dear', null),
  priceLabel: labels,
  open: mostly<JsonValue>(true, false, 'true', null),
  desk: mostly<JsonValue>('1000', 1000, '10', 'large', null),
  deskLabel: labels,
})

test('property: 1,000 proposals are decided alike by TypeScript and by its manifest', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(cases, (given) => {
      const { quantity, instrument, account, price, priceLabel, open, desk, deskLabel } = given
      const path = `market.price.${instrument}`
      const patch: CasePatch = {
        proposal: { params: { quantity, instrument, account } },
        facts: {
          state: {
            [path]: factOf(path, price, priceLabel),
            'market.open': factOf('market.open', open, 'trusted'),
            'desk.size': factOf('desk.size', desk, deskLabel),
          },
        },
      }
      const decide = (law: Partial<CapabilityLaw>): Verdict =>
        compile(withCase({ ...patch, law: { ...USUAL, ...law } }))
      const [code, data] = [decide(TYPESCRIPT), decide(MANIFEST)]
      assert.deepEqual(plain(data), plain(code))
      const name = 'code' in data ? data.code : data.kind
      seen.set(name, (seen.get(name) ?? 0) + 1)
    }),
    { numRuns: 1_000 },
  )
  for (const name of [
    ...['staged', 'MEASURE_UNAVAILABLE', 'ARGUMENTS_INVALID', 'PRECONDITION_FAILED'],
    ...['ORDER_VALUE_EXCEEDED', 'RESOURCE_SCOPE'],
  ])
    assert.ok((seen.get(name) ?? 0) > 0, `${name} was seen: ${JSON.stringify([...seen])}`)
})

function plain(verdict: Verdict): unknown {
  return JSON.parse(JSON.stringify(verdict))
}
