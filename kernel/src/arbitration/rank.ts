/**
 * Whose proposal stands: risk before strategy, whatever the order of arrival.
 *
 * A preempting kind comes first, then the priority matrix. Time and dfid decide only between bids of one agent, so that
 * being quick wins nothing against another.
 */
import { compareByPriority } from '../contract/priority.ts'
import type { ArbitrationLaw, Bid } from './bid.ts'

/** Negative: `a` comes first; 0 only for one and the same flow. */
export function compareBids(
  { preempting_kinds }: Pick<ArbitrationLaw, 'preempting_kinds'>,
  a: Bid,
  b: Bid,
): number {
  const isFirst = preempting_kinds.includes(a.policy_kind)
  if (isFirst !== preempting_kinds.includes(b.policy_kind)) return isFirst ? -1 : 1
  return compareByPriority(a, b) || compareText(a.at, b.at) || compareText(a.dfid, b.dfid)
}

/** The first is the one to be carried out. */
export function rankBids(law: ArbitrationLaw, bids: readonly Bid[]): readonly Bid[] {
  return bids.toSorted((a, b) => compareBids(law, a, b))
}

/** By what one bid comes before another: its kind, the priority, role or name of its agent, or when it was made. */
export type Precedence = 'kind' | 'priority' | 'role' | 'name' | 'time'

/** What `compareBids` decides two bids of one event by. */
export function findPrecedence(
  { preempting_kinds }: Pick<ArbitrationLaw, 'preempting_kinds'>,
  a: Bid,
  b: Bid,
): Precedence {
  if (preempting_kinds.includes(a.policy_kind) !== preempting_kinds.includes(b.policy_kind))
    return 'kind'
  if (a.priority !== b.priority) return 'priority'
  if (a.role !== b.role) return 'role'
  return a.agent_id === b.agent_id ? 'time' : 'name'
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
