/**
 * One capability for each class of effect: the law's side, which is the same for every seed and is
 * compiled once. Hands belong to one process; see `hands.ts`.
 */
import type { JitField, JsonObject } from 'rubicon-kernel'
import type { Capability } from '../../runtime/src/ports/capability.ts'
import { MUCH } from './contracts.ts'
import { LAG_MS, LATE_MS, WINDOW_S } from './provider.ts'

const amount = { type: 'string', pattern: '^[0-9]{1,6}$' }
const name = { type: 'string', minLength: 1, maxLength: 64 }
const version = { type: 'integer', minimum: 0 }
const words = { type: 'string', maxLength: 200 }
const RESULT: JsonObject = object({ ok: { type: 'boolean' }, reference: name, said: words }, ['ok'])

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** What somebody may write beside it. */
function withMemo(properties: JsonObject): JsonObject {
  return object({ ...properties, memo: words }, Object.keys(properties))
}

const nowhere = (): never => {
  throw new Error('these hands reach nothing')
}
const common = {
  risk: 'low',
  reversible: true,
  result: RESULT,
  execute: nowhere,
  sendDeadlineMs: 5000,
} as const
const spends = {
  measures: { amount: (params: JsonObject) => params.amount },
  costOf: (params: JsonObject) => ({ usd: String(params.amount) }),
}
/** What flows compete for. Small enough to run out, large enough for most to get through. */
const TILL = '60'
const SHELF = '80'
const till: NonNullable<Capability['resources']> = ({ to, amount }) => [
  { id: `till:${to}`, amount: String(amount), capacity: TILL },
]
const item: NonNullable<Capability['resources']> = (params) => [
  { id: `item:${params.item}`, amount: '1' },
]
const postcondition: NonNullable<Capability['postcondition']> = (_, { result }) =>
  (result as JsonObject).ok === true ? null : 'the provider does not say ok'

/** What can be taken back, and how: the one, or the other as well. */
const undone = { compensate: nowhere }
const closed = { ...undone, compensations: { CLOSE_ALL: nowhere } }

const LATE_PROBE: NonNullable<Capability['probe']> = {
  absence_authoritative: true,
  max_late_arrival_s: (LATE_MS + LAG_MS) / 1000 + 1,
  ask: nowhere,
}

export const CAPABILITIES: readonly Capability[] = [
  { ...common, kind: 'LOOKUP', effect: 'read', params: object({ item: name }) },
  {
    ...common,
    kind: 'PUT',
    effect: 'put_if_match',
    params: object({ item: name, value: name, if_version: version }),
    resources: item,
  },
  {
    ...common,
    ...spends,
    kind: 'PAY',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    ...closed,
    params: withMemo({ to: name, amount }),
    resources: till,
    reads: () => ({ state: ['market.open'] }),
    postcondition,
  },
  {
    ...common,
    kind: 'ORDER',
    effect: 'queryable',
    ...closed,
    params: withMemo({ sku: name, quantity: { type: 'integer', minimum: 1 } }),
    measures: { quantity: (params) => String(params.quantity) },
    exposure: { measure: 'quantity', threshold: String(MUCH) },
    resources: ({ sku, quantity }) => [
      { id: `shelf:${sku}`, amount: String(quantity), capacity: SHELF },
      { id: `shelf:${sku}:packers`, amount: '0.5', capacity: '2.25' },
    ],
    lockWaitMs: 400,
    probe: LATE_PROBE,
    postcondition,
  },
  {
    ...common,
    ...spends,
    kind: 'WIRE',
    effect: 'unsafe',
    reversible: false,
    risk: 'high',
    params: withMemo({ to: name, amount }),
    resources: till,
  },
  {
    ...common,
    kind: 'STOCK',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    ...undone,
    params: object({ item: name, count: amount, version }),
    resources: item,
    lockWaitMs: 400,
    reads: (params) => ({ world: [{ kind: 'stock', id: String(params.item) }] }),
    precondition: (params, view) => {
      const known = view.world('stock', String(params.item))?.version ?? 0
      return known === params.version ? null : `the stock has version ${known}`
    },
  },
  {
    ...common,
    kind: 'WITHDRAW',
    effect: 'unsafe',
    reversible: false,
    risk: 'high',
    params: withMemo({ amount }),
  },
  {
    ...common,
    ...spends,
    kind: 'TRADE',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    ...undone,
    params: object({ item: name, amount }),
    resources: ({ item, amount }) => [
      { id: `till:${item}`, amount: String(amount), capacity: TILL },
    ],
    reads: ({ item }) => ({ state: [`news.${item}`] }),
    jit_fields: ['price', 'spread'],
    jit: ({ item }) => ({
      price: { path: `price.${item}`, kind: 'telemetry' },
      spread: { path: `spread.${item}`, kind: 'telemetry' },
    }),
  },
  {
    ...common,
    kind: 'HEDGE',
    effect: 'queryable',
    params: object({ item: name, quantity: { type: 'integer', minimum: 1 } }),
    resources: item,
    lockWaitMs: 400,
    jit_fields: ['held', 'price'],
    jit: ({ item }) => ({
      price: { path: `price.${item}`, kind: 'telemetry' },
      held: { path: `held.${item}`, kind: 'position' },
    }),
    probe: LATE_PROBE,
  },
]

/** The values that a kind wants unmoved, for whoever checks that they were. */
export function watchedBy(kind: string, params: JsonObject): Readonly<Record<string, JitField>> {
  return CAPABILITIES.find((capability) => capability.kind === kind)?.jit?.(params) ?? {}
}
