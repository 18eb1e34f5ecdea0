/**
 * Who is carried out next, and who has lost to whom.
 *
 * 1. A winner is a proposal that became durable as dispatched: until then nobody has lost.
 * 2. What stands decides, not who asks: the same bids and winners give the same outcome in every process.
 * 3. A flow that has won goes on: its later steps are not held against itself.
 */
import type { Refusal } from '../compile/verdict.ts'
import type { ArbitrationLaw, Bid, EventStanding, EventWinner } from './bid.ts'
import { rankBids } from './rank.ts'

/** A bid that cannot be carried out any more, and why. */
export type LostBid = { readonly bid: Bid; readonly refusal: Refusal }

export type ArbitrationOutcome = {
  /** Judged again and dispatched next; null: nobody is left. */
  readonly next: Bid | null
  readonly lost: readonly LostBid[]
}

type Wanted = Pick<Bid, 'dfid' | 'resources'>

export function chooseNextBid(
  law: ArbitrationLaw,
  standing: EventStanding,
  bids: readonly Bid[],
): ArbitrationOutcome {
  const lost: LostBid[] = []
  let next: Bid | null = null
  for (const bid of rankBids(law, bids)) {
    const refusal = findEventRefusal(law, standing, bid)
    if (refusal !== null) lost.push({ bid, refusal })
    else next ??= bid
  }
  return { next, lost }
}

/** Why nothing of this flow may be dispatched for the event; null: it may. */
export function findEventRefusal(
  law: Pick<ArbitrationLaw, 'exclusive'> | null,
  standing: EventStanding,
  wanted: Wanted,
): Refusal | null {
  const { event_id, winners, halted_by } = standing
  if (halted_by !== null) return { code: 'EVENT_HALTED', details: { event_id, halted_by } }
  const winner = law === null ? undefined : findWinnerOver(law, winners, wanted)
  if (winner === undefined) return null
  const { dfid, policy_kind } = winner
  return { code: 'PREEMPTED', details: { event_id, winner: dfid, winner_kind: policy_kind } }
}

/** The first winner beside which it cannot stand. */
export function findWinnerOver(
  { exclusive }: Pick<ArbitrationLaw, 'exclusive'>,
  winners: readonly EventWinner[],
  { dfid, resources }: Wanted,
): EventWinner | undefined {
  const others = winners.filter((one) => one.dfid !== dfid)
  if (exclusive === 'event') return others[0]
  return others.find((one) => one.resources.some((name) => resources.includes(name)))
}
