/**
 * What happened to an artifact, as a blob that names the one before it. World names the last: the ledger proves its hash, and its hash
 * all that came before.
 */
import { type ContentHash, isContentHash } from 'rubicon-artifacts/store'
import type { ClaimSet, JsonValue } from 'rubicon-kernel'
import { isClaimSet, isSplices, isSteps, type Splice, type Step } from './plan-record.ts'
import { hasMembers, isPlannedWhat, isTexts, type PlannedWhat } from './world-values.ts'

export type ChangeRecord = {
  readonly protocol: 1
  /** `adopt`: the file became known as it was; who changed it is not known here. `revert`: an effect was taken back. */
  readonly what: PlannedWhat | 'adopt' | 'revert'
  readonly artifact: string
  /** Null: it was not known. */
  readonly before: ContentHash | null
  /** Null: it is not there any more. */
  readonly after: ContentHash | null
  /** The text that deltas and claims are of; null: there are none. */
  readonly base: ContentHash | null
  readonly plan: ContentHash | null
  readonly deltas: readonly JsonValue[] | null
  readonly claims: ClaimSet | null
  readonly key: string
  /** Of the base: what was planned there. */
  readonly splices: readonly Splice[]
  /** From `before` to `after`. */
  readonly steps: readonly Step[]
  readonly symbols: readonly string[]
  readonly previous: ContentHash | null
  readonly undoes: ContentHash | null
  readonly agent_id: string
  readonly dfid: string
  readonly step_id: string
}

const MEMBERS = [
  ...['after', 'agent_id', 'artifact', 'base', 'before', 'claims', 'deltas', 'dfid', 'key', 'plan'],
  ...['previous', 'protocol', 'splices', 'step_id', 'steps', 'symbols', 'undoes', 'what'],
]

/** Null: it is none. */
export function parseChangeRecord(value: JsonValue): ChangeRecord | null {
  if (!hasMembers(value, MEMBERS)) return null
  const { protocol, what, artifact, before, after, base, plan, deltas, claims } = value
  const { key, splices, steps, symbols, previous, undoes, agent_id, dfid, step_id } = value
  if (protocol !== 1 || !isChangedBy(what) || typeof artifact !== 'string') return null
  if (!isHash(before) || !isHash(after) || !isHash(base) || !isHash(plan)) return null
  if (
    !isHash(previous) ||
    !isHash(undoes) ||
    !isSteps(steps) ||
    !isSplices(splices) ||
    !isTexts(symbols)
  )
    return null
  if (deltas !== null && !Array.isArray(deltas)) return null
  if (claims !== null && !isClaimSet(claims)) return null
  if (typeof key !== 'string' || typeof agent_id !== 'string') return null
  if (typeof dfid !== 'string' || typeof step_id !== 'string') return null
  return {
    ...{ protocol, what, artifact, before, after, base, plan, deltas: deltas ?? null, claims },
    ...{ key, splices, steps, symbols, previous, undoes, agent_id, dfid, step_id },
  }
}

function isChangedBy(value: JsonValue | undefined): value is ChangeRecord['what'] {
  return value === 'adopt' || value === 'revert' || isPlannedWhat(value)
}

function isHash(value: JsonValue | undefined): value is ContentHash | null {
  return value === null || isContentHash(value)
}
