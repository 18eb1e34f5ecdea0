/** Entries of a batch in the one order in which they are composed. */
import type { ClaimSet } from 'rubicon-kernel'
import type { ListPlan } from '../delta/plan-deltas.ts'
import type { BatchEntry } from './batch.ts'

export type PlannedEntry = {
  readonly entry: BatchEntry
  /** On the base, by itself. */
  readonly plan: ListPlan
  readonly claims: ClaimSet
}

/**
 * Without an order first, by key, then by the names that they put in; then by order. Of those without one, what only takes something
 * out comes last: a container that one empties and another adds to is never empty. Two that are alike in all of it are the same.
 */
export function sortEntries(planned: readonly PlannedEntry[]): readonly PlannedEntry[] {
  return planned
    .map((one) => ({ one, rank: rankEntry(one) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ one }) => one)
}

type Rank = readonly [order: number, taking: number, key: string, names: string, deltas: string]

function rankEntry({ entry, claims }: PlannedEntry): Rank {
  const names = claims.inserts.map(({ segment }) => toName(segment)).join(' ')
  const order = entry.order ?? Number.NEGATIVE_INFINITY
  const isTaking =
    entry.order === undefined &&
    claims.inserts.length === 0 &&
    claims.writes.some(({ part }) => part === 'subtree')
  return [order, isTaking ? 1 : 0, entry.key, names, JSON.stringify(entry.deltas)]
}

/** `login` of `method:login`. */
function toName(segment: string): string {
  return segment.slice(segment.indexOf(':') + 1)
}

function compareRanks(one: Rank, other: Rank): number {
  for (const [i, part] of one.entries()) {
    const against = other[i] ?? ''
    if (part !== against) return part < against ? -1 : 1
  }
  return 0
}
