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

/** Without an order first, by key, then by the names that they put in; then by order. Two that are alike in all of it are the same. */
export function sortEntries(planned: readonly PlannedEntry[]): readonly PlannedEntry[] {
  return planned
    .map((one) => ({ one, rank: rankEntry(one) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ one }) => one)
}

type Rank = readonly [order: number, key: string, names: string, deltas: string]

function rankEntry({ entry, claims }: PlannedEntry): Rank {
  const names = claims.inserts.map(({ segment }) => toName(segment)).join(' ')
  return [entry.order ?? Number.NEGATIVE_INFINITY, entry.key, names, JSON.stringify(entry.deltas)]
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
