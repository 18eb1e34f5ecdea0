/**
 * A change to the world, as agents' capabilities return it and the ledger records it.
 *
 * Every op but `increment` names the version it was made for, so that a change computed from a
 * state that has gone is refused. An increment is right in any state, which is what makes counters
 * usable by many at once.
 */
import { parseDecimal } from '../canonical/decimal.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'

/** Makes a resource. */
export type CreateOp = {
  readonly op: 'create'
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** 0: must never have existed. Otherwise the version at which it was retracted. */
  readonly expected_version?: number
  /** What it becomes. */
  readonly value: JsonValue
}

/** Puts another value in its place. */
export type ReplaceOp = {
  readonly op: 'replace'
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** The version that it must have. */
  readonly expected_version: number
  /** What it becomes. */
  readonly value: JsonValue
}

/** Changes members of its value. */
export type PatchOp = {
  readonly op: 'patch'
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** The version that it must have. */
  readonly expected_version: number
  /** RFC 7396. */
  readonly patch: JsonValue
}

/** Ends a resource. */
export type RetractOp = {
  readonly op: 'retract'
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** The version that it must have. */
  readonly expected_version: number
}

/** Adds to a number. */
export type IncrementOp = {
  readonly op: 'increment'
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** A decimal string, negative to decrease. */
  readonly by: string
  /** The member to increment, when the value is an object. */
  readonly field?: string
}

/** One change to a resource of World. */
export type DeltaOp = CreateOp | ReplaceOp | PatchOp | RetractOp | IncrementOp
/** Changes to World, in their order. */
export type Delta = readonly DeltaOp[]

type Rule = { readonly holds: (value: JsonValue) => boolean; readonly wants: string }
type Rules = Readonly<Record<string, Rule>>

const anything: Rule = { holds: () => true, wants: 'a value' }
const kind: Rule = {
  holds: (value) => typeof value === 'string' && isIdentifier(value),
  wants: 'an identifier',
}
const name: Rule = {
  holds: (value) =>
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= LIMITS.resourceIdLength &&
    value.isWellFormed(),
  wants: `a text of 1 to ${LIMITS.resourceIdLength} characters`,
}
const version: Rule = { holds: (value) => isInteger(value) && value >= 1, wants: 'a version' }
const versionOrZero: Rule = {
  holds: (value) => isInteger(value) && value >= 0,
  wants: 'a version or 0',
}
const decimal: Rule = {
  holds: (value) => typeof value === 'string' && parseDecimal(value) !== undefined,
  wants: 'a decimal string',
}

const REQUIRED: Readonly<Record<DeltaOp['op'], Rules>> = {
  create: { kind, id: name, value: anything },
  replace: { kind, id: name, expected_version: version, value: anything },
  patch: { kind, id: name, expected_version: version, patch: anything },
  retract: { kind, id: name, expected_version: version },
  increment: { kind, id: name, by: decimal },
}

const OPTIONAL: Readonly<Record<DeltaOp['op'], Rules>> = {
  create: { expected_version: versionOrZero },
  replace: {},
  patch: {},
  retract: {},
  increment: { field: name },
}

export function parseDelta(value: JsonValue): Result<Delta, string> {
  if (!Array.isArray(value)) return err('delta is not a list')
  if (value.length > LIMITS.deltaOps) return err(`delta has over ${LIMITS.deltaOps} ops`)
  const items: readonly JsonValue[] = value
  const delta: DeltaOp[] = []
  for (const [i, item] of items.entries()) {
    const op = parseOp(item)
    if (!op.ok) return err(`op ${i}: ${op.error}`)
    delta.push(op.value)
  }
  return ok(delta)
}

function parseOp(value: JsonValue): Result<DeltaOp, string> {
  if (!isObject(value)) return err('not an object')
  if (!isOpName(value.op)) return err('unknown op')
  const problem = findMembersProblem(value, REQUIRED[value.op], OPTIONAL[value.op])
  if (problem !== undefined) return err(problem)
  // The rules above are this type, written once more as checks.
  return ok(value as DeltaOp)
}

function findMembersProblem(op: JsonObject, required: Rules, optional: Rules): string | undefined {
  for (const member of Object.keys(required)) {
    if (!Object.hasOwn(op, member)) return `\`${member}\` is missing`
  }
  const rules = { ...required, ...optional }
  for (const [member, value] of Object.entries(op)) {
    if (member === 'op') continue
    const rule = Object.hasOwn(rules, member) ? rules[member] : undefined
    if (rule === undefined) return `unknown member \`${member}\``
    if (!rule.holds(value)) return `\`${member}\` is not ${rule.wants}`
  }
  return undefined
}

function isOpName(value: JsonValue | undefined): value is DeltaOp['op'] {
  return typeof value === 'string' && Object.hasOwn(REQUIRED, value)
}

function isInteger(value: JsonValue): value is number {
  return Number.isSafeInteger(value)
}
