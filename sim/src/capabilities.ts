/**
 * One capability for each class of effect: the law's side, which is the same for every seed and is
 * compiled once. Hands belong to one process; see `hands.ts`.
 */
import type { JitField, JsonObject } from 'rubicon-kernel'
import type { Capability } from '../../runtime/src/ports/capability.ts'
import { MUCH } from './contracts.ts'
import { LAG_MS, LATE_MS, PAID, WINDOW_S } from './provider.ts'

const amount = { type: 'string', pattern: '^[0-9]{1,6}$' }
const name = { type: 'string', minLength: 1, maxLength: 64 }
const version = { type: 'integer', minimum: 0 }
const words = { type: 'string', maxLength: 200 }
const RESULT: JsonObject = toObjectSchema(
  { ok: { type: 'boolean' }, reference: name, said: words },
  ['ok'],
)

function toObjectSchema(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** What somebody may write beside it. */
function addMemoProperty(properties: JsonObject): JsonObject {
  return toObjectSchema({ ...properties, memo: words }, Object.keys(properties))
}

const throwUnreachable = (): never => {
  throw new Error('these hands reach nothing')
}
const common = {
  risk: 'low',
  reversible: true,
  result: RESULT,
  execute: throwUnreachable,
  sendDeadlineMs: 5000,
} as const
const spends = {
  measures: { amount: (params: JsonObject) => params.amount },
  costOf: (params: JsonObject) => ({ usd: String(params.amount) }),
}
/** What flows compete for. Small enough to run out, large enough for most to get through. */
const TILL = '60'
const SHELF = '80'
const listTillNeeds: NonNullable<Capability['resources']> = ({ to, amount }) => [
  { id: `till:${to}`, amount: String(amount), capacity: TILL },
]
const listItemNeeds: NonNullable<Capability['resources']> = (params) => [
  { id: `item:${params.item}`, amount: '1' },
]
const checkProviderOk: NonNullable<Capability['postcondition']> = (_, { result }) =>
  (result as JsonObject).ok === true ? null : 'the provider does not say ok'

/** What can be taken back, and how: the one, or the other as well. */
const undone = { compensate: throwUnreachable }
const closed = { ...undone, compensations: { CLOSE_ALL: throwUnreachable } }

const LATE_PROBE: NonNullable<Capability['probe']> = {
  absence_authoritative: true,
  max_late_arrival_s: (LATE_MS + LAG_MS) / 1000 + 1,
  ask: throwUnreachable,
}

export const CAPABILITIES: readonly Capability[] = [
  { ...common, kind: 'LOOKUP', effect: 'read', params: toObjectSchema({ item: name }) },
  {
    ...common,
    kind: 'PUT',
    effect: 'put_if_match',
    params: toObjectSchema({ item: name, value: name, if_version: version }),
    resources: listItemNeeds,
  },
  {
    ...common,
    ...spends,
    kind: 'PAY',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    ...closed,
    params: addMemoProperty({ to: name, amount }),
    resources: listTillNeeds,
    reads: ({ to }) => ({ state: ['market.open', `${PAID}${to}`] }),
    postcondition: checkProviderOk,
  },
  {
    ...common,
    kind: 'ORDER',
    effect: 'queryable',
    ...closed,
    params: addMemoProperty({ sku: name, quantity: { type: 'integer', minimum: 1 } }),
    measures: { quantity: (params) => String(params.quantity) },
    exposure: { measure: 'quantity', threshold: String(MUCH) },
    resources: ({ sku, quantity }) => [
      { id: `shelf:${sku}`, amount: String(quantity), capacity: SHELF },
      { id: `shelf:${sku}:packers`, amount: '0.5', capacity: '2.25' },
    ],
    lockWaitMs: 400,
    probe: LATE_PROBE,
    postcondition: checkProviderOk,
  },
  {
    ...common,
    ...spends,
    kind: 'WIRE',
    effect: 'unsafe',
    reversible: false,
    risk: 'high',
    params: addMemoProperty({ to: name, amount }),
    resources: listTillNeeds,
    reads: ({ to }) => ({ state: [`${PAID}${to}`] }),
  },
  {
    ...common,
    kind: 'STOCK',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    ...undone,
    params: toObjectSchema({ item: name, count: amount, version }),
    resources: listItemNeeds,
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
    params: addMemoProperty({ amount }),
  },
  {
    ...common,
    ...spends,
    kind: 'TRADE',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    ...undone,
    params: toObjectSchema({ item: name, amount }),
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
    params: toObjectSchema({ item: name, quantity: { type: 'integer', minimum: 1 } }),
    resources: listItemNeeds,
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
export function findWatchedFields(
  kind: string,
  params: JsonObject,
): Readonly<Record<string, JitField>> {
  return CAPABILITIES.find((capability) => capability.kind === kind)?.jit?.(params) ?? {}
}
