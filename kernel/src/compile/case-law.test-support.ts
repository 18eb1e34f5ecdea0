/** The capabilities and policies of the base case, and the ways in which they can go wrong. */
import { formatDecimal, multiplyDecimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type {
  ArgumentProblem,
  CapabilityDescription,
  CapabilityLaw,
  FactView,
} from '../execution/capability.ts'
import { buildManifestLaw } from '../manifest/manifest-law.ts'
import type { ToolManifest } from '../manifest/tool-manifest.ts'
import type { Policy, PolicyAnswer } from '../policy/policy.ts'

const SHAPE: Readonly<Record<string, 'text' | 'decimal'>> = {
  instrument: 'text',
  quantity: 'decimal',
  account: 'text',
}

export const DESCRIPTION: CapabilityDescription = {
  kind: 'BUY',
  version: '1',
  summary: 'buys an instrument at the market',
  effect: 'keyed',
  reversible: false,
  reducing: false,
  risk: 'high',
  world_only: false,
  params: { type: 'object' },
  measures: ['order_value_usd', 'quantity'],
  scopes: { instruments: '/instrument' },
  jit_fields: ['price'],
  sinks: { '/account': ['trusted', 'operator'] },
  cost: { usd: '0.01' },
  idempotency: { carrier: 'header', window_s: 86_400 },
  source: { kind: 'inline', hash: 'sha256:code' },
}

/** A small schema of three members, all required. */
function validate(params: JsonObject): readonly ArgumentProblem[] {
  const unknown = Object.keys(params).filter((name) => !Object.hasOwn(SHAPE, name))
  const wrong = Object.entries(SHAPE).filter(([name, shape]) => !fits(params[name], shape))
  return [
    ...unknown.map((name) => ({ path: `/${name}`, detail: 'is unknown' })),
    ...wrong.map(([name, shape]) => ({ path: `/${name}`, detail: `is not ${shape}` })),
  ]
}

function fits(value: JsonValue | undefined, shape: 'text' | 'decimal'): boolean {
  if (shape === 'text') return typeof value === 'string' && value !== ''
  return value !== undefined && toDecimal(value) !== undefined
}

function textOf(params: JsonObject, name: string): string {
  const value = params[name]
  return typeof value === 'string' ? value : ''
}

/** Quantity × price, and undefined where either is unknown: that is what refuses. */
function measures(params: JsonObject, view: FactView): Record<string, JsonValue | undefined> {
  const price = view.state(`market.price.${textOf(params, 'instrument')}`)?.value
  const [quantity, each] = [params.quantity, price].map((value) =>
    value === undefined ? undefined : toDecimal(value),
  )
  if (quantity === undefined) return {}
  const value = each === undefined ? undefined : formatDecimal(multiplyDecimal(quantity, each))
  return { quantity: formatDecimal(quantity), order_value_usd: value }
}

function precondition(params: JsonObject, view: FactView): string | null {
  const position = view.world('position', textOf(params, 'instrument'))
  return position?.retracted === true ? 'the position is closed' : null
}

export const USUAL: Omit<CapabilityLaw, 'hash'> = {
  description: DESCRIPTION,
  validate,
  reads: (params) => ({
    state: [`market.price.${textOf(params, 'instrument')}`, 'accounts.settlement'],
    world: [{ kind: 'position', id: textOf(params, 'instrument') }],
  }),
  measures,
  resources: (params) => [
    { id: `position:${textOf(params, 'instrument')}`, amount: '1' },
    { id: `account:${textOf(params, 'account')}`, amount: textOf(params, 'quantity') },
  ],
  jit: (params) => ({
    price: { path: `market.price.${textOf(params, 'instrument')}`, kind: 'telemetry' },
  }),
  cost: (params) => ({ volume: textOf(params, 'quantity') }),
  precondition,
}

const OVERFLOWING: ToolManifest = {
  manifest: 'rubicon/tool/1',
  kind: 'BUY',
  version: '1',
  summary: 'buys at a price that nobody can pay',
  params: { type: 'object', additionalProperties: false },
  effect: 'unsafe',
  reversible: false,
  risk: 'high',
  cost: { volume: { mul: [{ param: '/quantity' }, { const: '9'.repeat(34) }] } },
  executor: { command: { argv: ['/usr/bin/buy'], applied: [0] } },
}

function bang(): never {
  throw new Error('bang')
}

/** What `capability` may say in a patch or an example. */
export type CapabilityName =
  | 'usual'
  | 'absent'
  | 'changed'
  | 'throws'
  | 'validate_throws'
  | 'measures_throw'
  | 'measures_nothing'
  | 'measures_text'
  | 'measures_nan'
  | 'resources_throw'
  | 'jit_throws'
  | 'cost_throws'
  | 'cost_unreadable'
  | 'cost_overflows'
  | 'precondition_throws'
  | 'precondition_fails'
  | 'reserved'

/** How each differs from the usual one. */
export const CAPABILITIES: Readonly<Record<CapabilityName, Partial<CapabilityLaw> | null>> = {
  usual: {},
  /** None is registered. */
  absent: null,
  /** Another one is registered than the facts name. */
  changed: {},
  /** Every function throws, once the parameters were validated. */
  throws: { measures: bang, resources: bang, cost: bang, precondition: bang },
  validate_throws: { validate: bang },
  measures_throw: { measures: bang },
  measures_nothing: { measures: () => ({}) },
  measures_text: { measures: () => ({ quantity: 'much', order_value_usd: 'more' }) },
  measures_nan: { measures: () => ({ quantity: Number.NaN, order_value_usd: Number.NaN }) },
  resources_throw: { resources: bang },
  jit_throws: { jit: bang },
  cost_throws: { cost: bang },
  cost_unreadable: { cost: () => ({ volume: 'much' }) },
  /** That of a manifest, whose expression has no room for the product. */
  cost_overflows: { cost: buildManifestLaw(OVERFLOWING).cost },
  precondition_throws: { precondition: bang },
  precondition_fails: { precondition: () => 'the market is closed' },
  /** One of the engine's own: it touches nothing, and takes any parameters. */
  reserved: {
    validate: () => [],
    reads: () => ({ state: [], world: [] }),
    measures: () => ({}),
    resources: () => [],
    jit: () => ({}),
    cost: () => ({}),
    precondition: () => null,
  },
}

function policy(
  name: string,
  evaluate: () => PolicyAnswer,
  applies_to?: readonly string[],
): Policy {
  const source = { kind: 'file', language: 'typescript', hash: `sha256:${name}` } as const
  return { name, version: '1', source, evaluate, ...(applies_to ? { applies_to } : {}) }
}

const DENY = { kind: 'deny', reason: 'not on a Friday' } as const
const ASK = { kind: 'require_approval', channel: 'risk-desk', reason: 'a large order' } as const

/** What `policy` may say in a patch or an example. */
export type PolicyName =
  | 'none'
  | 'permits'
  | 'denies'
  | 'asks'
  | 'silent'
  | 'throws'
  | 'errs'
  | 'elsewhere'
  | 'asks_and_denies'

/** The policies in force. */
export const POLICIES: Readonly<Record<PolicyName, readonly Policy[]>> = {
  none: [],
  permits: [policy('permits', () => ({ decision: { kind: 'permit' }, determining: ['usual'] }))],
  denies: [policy('denies', () => ({ decision: DENY, determining: ['friday'] }))],
  asks: [policy('asks', () => ({ decision: ASK }))],
  silent: [policy('silent', () => ({ decision: null }))],
  throws: [policy('throws', bang)],
  errs: [
    policy('errs', () => ({
      decision: { kind: 'permit' },
      erroring: [{ rule: 'friday', detail: 'no calendar' }],
    })),
  ],
  /** Would deny, and is not about BUY. */
  elsewhere: [policy('elsewhere', () => ({ decision: DENY }), ['SELL'])],
  asks_and_denies: [
    policy('asks', () => ({ decision: ASK })),
    policy('denies', () => ({ decision: DENY })),
  ],
}
