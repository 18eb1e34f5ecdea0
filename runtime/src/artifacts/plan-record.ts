/**
 * A plan as a blob: what was handed in, what it came to and what it claims. Its hash is its name, so a plan that somebody approved is
 * the plan that is applied.
 */
import { type ContentHash, isContentHash } from 'rubicon-artifacts/store'
import {
  type ClaimSet,
  isExactInstant,
  isObject,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'
import { hasMembers, isPlannedWhat, isTexts, type PlannedWhat } from './world-values.ts'

export type Step = {
  readonly splices: readonly Splice[]
  readonly inverse: readonly Splice[]
}

export type Splice = { readonly start: number; readonly end: number; readonly text: string }

/** What is planned of one artifact. */
export type PlannedPart = {
  readonly artifact: string
  /** The text that deltas and claims are of. */
  readonly base: ContentHash
  /** The text that it came to on that. */
  readonly after: ContentHash
  readonly deltas: readonly JsonValue[] | null
  readonly claims: ClaimSet
  /** Of the base: what was planned there. */
  readonly splices: readonly Splice[]
  readonly steps: readonly Step[]
  readonly symbols: readonly string[]
  /** The record of the change that it takes back; null: none. */
  readonly undoes: ContentHash | null
}

export type PlanRecord = {
  readonly protocol: 1
  readonly what: PlannedWhat
  readonly parts: readonly PlannedPart[]
  readonly symbols: readonly string[]
  readonly by: string
  /** The flow and the step that planned it: no two plans are one. */
  readonly dfid: string
  readonly step_id: string
  readonly until: string
  /** By which what several put in at one place is put in order, whoever was first. */
  readonly key: string
  /** All artifacts as they were. */
  readonly root: ContentHash
}

const MEMBERS = ['by', 'dfid', 'key', 'parts', 'protocol', 'root', 'step_id', 'symbols', 'until']
const PART = [
  ...['after', 'artifact', 'base', 'claims', 'deltas', 'splices', 'steps', 'symbols'],
  'undoes',
]

/** Null: it is none. */
export function parsePlanRecord(value: JsonValue): PlanRecord | null {
  if (!hasMembers(value, [...MEMBERS, 'what'].sort())) return null
  const { protocol, what, parts, symbols, by, dfid, step_id, until, key, root } = value
  if (protocol !== 1 || !isPlannedWhat(what) || !isTexts(symbols)) return null
  if (typeof by !== 'string' || typeof dfid !== 'string' || typeof step_id !== 'string') return null
  if (typeof until !== 'string' || !isExactInstant(until)) return null
  if (typeof key !== 'string' || !isContentHash(root)) return null
  if (!Array.isArray(parts) || !parts.every(isPlannedPart)) return null
  return { protocol, what, parts, symbols, by, dfid, step_id, until, key, root }
}

function isPlannedPart(value: JsonValue): value is PlannedPart & JsonObject {
  if (!hasMembers(value, PART)) return false
  const { artifact, base, after, deltas, claims, splices, steps, symbols, undoes } = value
  return (
    typeof artifact === 'string' &&
    isContentHash(base) &&
    isContentHash(after) &&
    (deltas === null || Array.isArray(deltas)) &&
    isClaimSet(claims) &&
    isSplices(splices) &&
    isSteps(steps) &&
    isTexts(symbols) &&
    (undoes === null || isContentHash(undoes))
  )
}

/** As the runtime wrote it; the hash says that nobody changed it since. */
export function isClaimSet(value: JsonValue | undefined): value is ClaimSet & JsonObject {
  return (
    value !== undefined &&
    isObject(value) &&
    typeof value.key === 'string' &&
    typeof value.artifact === 'string' &&
    [value.writes, value.inserts, value.reads, value.redefines].every(Array.isArray)
  )
}

export function isSteps(value: JsonValue | undefined): value is Step[] & JsonValue[] {
  return (
    Array.isArray(value) &&
    value.every((one) => isObject(one) && isSplices(one.splices) && isSplices(one.inverse))
  )
}

export function isSplices(value: JsonValue | undefined): value is Splice[] & JsonValue[] {
  return Array.isArray(value) && value.every(isSplice)
}

function isSplice(value: JsonValue): boolean {
  if (!isObject(value)) return false
  const { start, end, text } = value
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && typeof text === 'string'
}
