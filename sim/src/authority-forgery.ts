/** Random writs, honest requests, and children that reach beyond their parent. */
import type { AttenuationRequest, Budget, EffectCeiling, WritBody, WritScope } from 'rubicon-kernel'
import { FLAGS, KINDS, type Link, MEASURES, SETS, VALUES } from './authority-universe.ts'

/** A number from 0 up to, and without, `below`. */
export type DrawBelow = (below: number) => number

const START = Date.parse('2026-01-01T00:00:00.000Z')
const HOURS = 24
const KIND_PATTERNS = [...KINDS, 'pay.*', '*', 'B*']
const VALUE_PATTERNS = [...VALUES, 'x*', 'x1*', '*', 're:x.', 're:x.*']
const WHOLE_AMOUNTS = ['0', '1', '2', '10', '1000']
const AMOUNTS = [...WHOLE_AMOUNTS, '0.000001', '0.5', '2.50', '999.999999']
/** The subjects' keys; `key-9` is nobody's. */
const KEYS = ['key-1', 'key-2', 'key-3']
const STRANGER = 'key-9'
const NONCE = '019b76da-a800-7000-8000-000000000000'

export function drawRootWrit(chance: DrawBelow): WritBody {
  return {
    tenant: 'tenant-1',
    issuer_key: 'key-issuer',
    subject: 'agent-0',
    subject_key: pick(chance, KEYS),
    audience: 'rubicon',
    nonce: NONCE,
    scopes: drawScopes(chance),
    effect_ceiling: drawCeiling(chance),
    budget: drawBudget(chance),
    window: { not_before: formatHour(chance(4)), expires_at: formatHour(12 + chance(12)) },
    delegation: { max_depth: 1 + chance(8), may_delegate: chance(10) > 0 },
  }
}

export function drawAttenuationRequest(chance: DrawBelow): AttenuationRequest {
  return {
    subject: `agent-${chance(5)}`,
    ...(chance(10) > 0 ? { subject_key: pick(chance, KEYS) } : {}),
    nonce: NONCE,
    ...(chance(2) > 0 ? { scopes: drawScopes(chance) } : {}),
    ...(chance(2) > 0 ? { effect_ceiling: drawCeiling(chance) } : {}),
    ...(chance(2) > 0 ? { budget: drawBudget(chance) } : {}),
    ...(chance(2) > 0 ? { window: { not_before: formatHour(chance(8)) } } : {}),
    ...(chance(5) === 0 ? { delegation: { max_depth: chance(6) } } : {}),
  }
}

export type AuthorityForgery =
  | 'tenant'
  | 'audience'
  | 'wrong_parent'
  | 'no_parent'
  | 'wrong_signer'
  | 'kind'
  | 'resource'
  | 'dropped_set'
  | 'more_scopes'
  | 'ceiling'
  | 'budget'
  | 'strange_amount'
  | 'earlier'
  | 'later'
  | 'deeper'
  | 'everything'

type Forge = (child: WritBody, parent: Link, chance: DrawBelow) => WritBody

/** Each changes one dimension of an honest child; `everything` makes up all of them. */
export const FORGERIES: Readonly<Record<AuthorityForgery, Forge>> = {
  tenant: (child) => ({ ...child, tenant: 'tenant-2' }),
  audience: (child) => ({ ...child, audience: 'another-service' }),
  wrong_parent: (child) => ({ ...child, parent: `sha256:${'0'.repeat(64)}` }),
  no_parent: ({ parent: _, ...child }) => child,
  wrong_signer: (child) => ({ ...child, issuer_key: STRANGER }),
  kind: (child, _, chance) => {
    const [first, ...rest] = child.scopes
    const scopes = [{ ...first, kind: pick(chance, KIND_PATTERNS) }, ...rest]
    return { ...child, scopes }
  },
  resource: (child, _, chance) => {
    const set = pick(chance, SETS)
    const scopes = child.scopes.map((scope) => ({
      ...scope,
      resources: { ...scope.resources, [set]: [pick(chance, VALUE_PATTERNS)] },
    }))
    return { ...child, scopes }
  },
  dropped_set: (child) => ({ ...child, scopes: child.scopes.map(({ kind }) => ({ kind })) }),
  more_scopes: (child, _, chance) => ({
    ...child,
    scopes: [...child.scopes, ...drawScopes(chance)],
  }),
  ceiling: (child, _, chance) => ({
    ...child,
    effect_ceiling: { ...child.effect_ceiling, [pick(chance, FLAGS)]: true },
  }),
  budget: (child, { body }, chance) => {
    const measure = pick(chance, MEASURES)
    const more = String(Number(body.budget[measure] ?? '0') + 1)
    return { ...child, budget: { ...child.budget, [measure]: more } }
  },
  strange_amount: (child, _, chance) => {
    const strange = pick(chance, ['-1', '1e9', 'all', '', '1,000', '0.0000001', '٣'])
    return { ...child, budget: { ...child.budget, [pick(chance, MEASURES)]: strange } }
  },
  earlier: (child, { body }) => {
    const not_before = shiftTime(body.window.not_before, -1)
    return { ...child, window: { ...child.window, not_before } }
  },
  later: (child, { body }) => {
    const expires_at = shiftTime(body.window.expires_at, 1)
    return { ...child, window: { ...child.window, expires_at } }
  },
  deeper: (child, { body }) => {
    const { max_depth } = body.delegation
    return { ...child, delegation: { max_depth, may_delegate: true } }
  },
  everything: (child, _, chance) => {
    const { tenant, audience, parent, issuer_key } = child
    const links = { tenant, audience, issuer_key, ...(parent === undefined ? {} : { parent }) }
    return { ...drawRootWrit(chance), ...links }
  },
}

/** A child for a parent that may have none. */
export function forgeSmuggledChild(parent: Link, chance: DrawBelow): WritBody {
  const { max_depth } = parent.body.delegation
  return {
    ...parent.body,
    parent: parent.id,
    issuer_key: parent.body.subject_key ?? STRANGER,
    subject_key: pick(chance, KEYS),
    delegation: { max_depth: Math.max(0, max_depth - 1), may_delegate: false },
  }
}

export function pick<T>(chance: DrawBelow, from: readonly T[]): T {
  const index = chance(from.length)
  const picked = from.at(index)
  if (picked === undefined) throw new Error('invariant broken: there is something to pick from')
  return picked
}

function drawSome<T>(chance: DrawBelow, from: readonly T[], most: number): readonly T[] {
  return Array.from({ length: chance(most + 1) }, () => pick(chance, from))
}

function drawScopes(chance: DrawBelow): readonly WritScope[] {
  return Array.from({ length: 1 + chance(3) }, () => {
    const kind = pick(chance, KIND_PATTERNS)
    const narrowed = SETS.filter(() => chance(2) > 0)
    const sets = narrowed.map((set) => [set, drawSome(chance, VALUE_PATTERNS, 3)] as const)
    return sets.length === 0 ? { kind } : { kind, resources: Object.fromEntries(sets) }
  })
}

function drawCeiling(chance: DrawBelow): EffectCeiling {
  return {
    read: chance(3) > 0,
    write: chance(3) > 0,
    external: chance(3) > 0,
    irreversible: chance(3) > 0,
  }
}

function drawBudget(chance: DrawBelow): Budget {
  const named = MEASURES.filter((measure) => measure !== 'fuel' && chance(3) > 0)
  const amounts = named.map((measure) => {
    return [measure, pick(chance, measure === 'calls' ? WHOLE_AMOUNTS : AMOUNTS)] as const
  })
  return Object.fromEntries(amounts)
}

function formatHour(at: number): string {
  return new Date(START + (at % HOURS) * 3_600_000).toISOString()
}

function shiftTime(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString()
}
