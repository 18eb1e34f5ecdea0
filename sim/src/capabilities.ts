/**
 * One capability for each class of effect, and the hands that reach the simulated provider. The law's
 * side is the same for every seed and is compiled once; hands belong to one process.
 */

import type { SignedIntent } from 'rubicon-kernel'
import {
  type JitField,
  type JsonObject,
  type JsonValue,
  type ProbeFinding,
  unreachable,
} from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import type { RuleBook } from '../../runtime/src/engine/deps.ts'
import {
  type Capability,
  type Effect,
  type EffectIo,
  NotApplied,
  type ProbeAnswer,
  type RegisteredCapability,
} from '../../runtime/src/ports/capability.ts'
import { type Book, ruleBook } from '../../runtime/src/rule-book.ts'
import type { VirtualTime } from './clock.ts'
import type { SimProcess } from './process.ts'
import { type EffectKind, LAG_MS, LATE_MS, type Provider, WINDOW_S } from './provider.ts'
import type { Faults } from './swarm.ts'

const amount = { type: 'string', pattern: '^[0-9]{1,6}$' }
const name = { type: 'string', minLength: 1, maxLength: 64 }
const version = { type: 'integer', minimum: 0 }
const RESULT: JsonObject = object({ ok: { type: 'boolean' }, reference: name }, ['ok'])

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
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
    params: object({ to: name, amount }),
    resources: till,
    reads: () => ({ state: ['market.open'] }),
    postcondition,
  },
  {
    ...common,
    kind: 'ORDER',
    effect: 'queryable',
    params: object({ sku: name, quantity: { type: 'integer', minimum: 1 } }),
    measures: { quantity: (params) => String(params.quantity) },
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
    params: object({ to: name, amount }),
    resources: till,
  },
  {
    ...common,
    kind: 'STOCK',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    params: object({ item: name, count: amount, version }),
    resources: item,
    lockWaitMs: 400,
    reads: (params) => ({ world: [{ kind: 'stock', id: String(params.item) }] }),
    precondition: (params, view) => {
      const known = view.world('stock', String(params.item))?.version ?? 0
      return known === params.version ? null : `the stock has version ${known}`
    },
  },
  { ...common, kind: 'WITHDRAW', effect: 'unsafe', params: object({ amount }) },
  {
    ...common,
    ...spends,
    kind: 'TRADE',
    effect: 'keyed',
    idempotency: { carrier: 'header', window_s: WINDOW_S },
    params: object({ item: name, amount }),
    resources: ({ item, amount }) => [
      { id: `till:${item}`, amount: String(amount), capacity: TILL },
    ],
    reads: ({ item }) => ({ state: [`news.${item}`] }),
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

let compiled: Book | null = null

/** The law, compiled once per process of ours. */
export function stormLaw(): Book {
  if (compiled !== null) return compiled
  const book = ruleBook(CAPABILITIES, [], sha256)
  if (!book.ok) throw new Error(book.error.summary)
  compiled = book.value
  return compiled
}

export type Hands = {
  readonly process: SimProcess
  readonly provider: Provider
  readonly time: VirtualTime
  readonly faults: Faults
}

/** The same law, with hands that reach this provider from this process. */
export function bookWith(hands: Hands): RuleBook {
  const law = stormLaw()
  const registered = new Map<string, RegisteredCapability>()
  for (const capability of law.capabilities()) {
    const execute = (intent: SignedIntent, io: EffectIo) => send(hands, intent, io)
    const probe = capability.hands.probe
    const asked = probe === undefined ? {} : { probe: { ...probe, ask: ask(hands) } }
    const reaching = { ...capability.hands, execute, ...asked }
    registered.set(capability.hands.kind, { ...capability, hands: reaching })
  }
  return {
    rules: law.rules,
    ruleSet: law.ruleSet,
    hash: law.hash,
    capability: (kind) => registered.get(kind),
    capabilities: () => law.capabilities(),
  }
}

async function send(
  { process, provider }: Hands,
  intent: SignedIntent,
  io: EffectIo,
): Promise<Effect> {
  if (!process.alive) return process.never()
  const kind = intent.policy_kind as EffectKind
  const request = { kind, key: io.idempotencyKey, send: io.send, params: intent.params }
  const answer = await process.wait(provider.request(request))
  switch (answer.kind) {
    case 'done':
      return effectOf(kind, intent, answer.result)
    case 'refused':
      throw new NotApplied(answer.why, { transient: answer.transient })
    case 'reset':
      throw new Error('connection reset')
    default:
      return unreachable(answer)
  }
}

function effectOf(
  kind: EffectKind,
  { params, idempotency_key }: SignedIntent,
  result: JsonValue,
): Effect {
  const id = idempotency_key.slice(0, 16)
  switch (kind) {
    case 'PAY': {
      // Every third payment costs less than was projected.
      const less = Number(params.amount) % 3 === 0
      const cost = { calls: '1', usd: less ? '1' : String(params.amount) }
      const delta = [
        { op: 'create', kind: 'payment', id, value: { amount: params.amount ?? null } },
      ] as const
      return { result, delta, receipt: { id }, cost }
    }
    case 'ORDER':
      return { result, delta: [{ op: 'create', kind: 'order', id, value: params }] }
    case 'STOCK': {
      const { item, count, version: expected_version } = params
      const at = Number(expected_version)
      const common = { kind: 'stock', id: String(item), expected_version: at, value: String(count) }
      return {
        result,
        delta: [at === 0 ? { op: 'create', ...common } : { op: 'replace', ...common }],
      }
    }
    default:
      return { result }
  }
}

function ask({ process, provider, time, faults }: Hands) {
  return async (intent: SignedIntent, io: EffectIo): Promise<ProbeAnswer> => {
    if (!process.runs) await process.turn()
    const slow = faults.strikes('probe_slow') ? faults.between(1000, 15_000) : 0
    await process.wait(time.sleep(faults.between(1, 20) + slow))
    if (faults.strikes('probe_failed')) throw new Error('the probe was refused')
    const found = provider.probe(io.idempotencyKey)
    // Once it talks nonsense about an order, it does so for ever, also when the storm is over.
    if (faults.strikes('probe_lies')) provider.confused.add(io.idempotencyKey)
    if (provider.confused.has(io.idempotencyKey))
      return { finding: found.finding, effect: { result: 'garbage' } }
    const finding: ProbeFinding = found.finding
    if (found.finding === 'absent') return { finding }
    return { finding, effect: effectOf(intent.policy_kind as EffectKind, intent, found.result) }
  }
}
