/**
 * What is arbitrated: proposals that agents make about one event, and what became of the event so far.
 *
 * A bid is a proposal that was judged and would be carried out. It holds nothing while it waits: no lock, no part of a budget.
 */
import type { Ranked } from '../contract/priority.ts'

/** Whether one proposal of an event is carried out, or every one whose resources no other takes. */
type Exclusion = 'event' | 'resources'

/** What the rules say of a topic, as far as it decides who wins. */
export type ArbitrationLaw = {
  readonly exclusive: Exclusion
  /** Kinds that come before all others, whoever proposes them. */
  readonly preempting_kinds: readonly string[]
}

export type Bid = Ranked & {
  readonly dfid: string
  readonly policy_kind: string
  /** Names of what it would hold. */
  readonly resources: readonly string[]
  /** When it was made. */
  readonly at: string
}

/** A proposal of the event that was dispatched, or accepted for an executor. */
export type EventWinner = Pick<Bid, 'dfid' | 'policy_kind' | 'resources'>

/** How an event stands. */
export type EventStanding = {
  readonly event_id: string
  readonly winners: readonly EventWinner[]
  /** The flow whose HALT was carried out. */
  readonly halted_by: string | null
}
