/** What is kept of an event beside its entry: whom it woke, and what has become of them. */
import type { Bid, EventWinner, FlowMember, JsonValue, Role } from 'rubicon-kernel'

/** An agent that an event woke, with what its proposals are put in order by. */
export type EventMember = {
  readonly agent: string
  readonly dfid: string
  readonly priority: number
  readonly role: Role
  /** Nothing comes of it any more, and no flow was opened: a newer event woke the agent, or it is gone. */
  readonly ended?: 'superseded' | 'gone'
}

export type EventRecord = {
  readonly topic: string
  readonly at: string
  /** Until when proposals are collected; null: they are not. */
  readonly closes_at: string | null
  readonly state_snapshot_id: string
  readonly members: readonly EventMember[]
  /** Bids that were made: whoever closes the window at the same time sees another number. */
  readonly bids?: number
  /** Whose proposals were dispatched. */
  readonly winners?: readonly EventWinner[]
  /** The flow whose HALT was carried out. */
  readonly halted_by?: string
}

/** A proposal that waits for the others of its event. It holds nothing, and is judged again when its turn comes. */
export type BidRecord = Omit<Bid, 'dfid'> & {
  readonly document: JsonValue
  /** Hash of what came. */
  readonly received: string
  readonly filled?: readonly FlowMember[]
  /** Of the session that it came in. */
  readonly is_session: boolean
  readonly key_id: string | null
}
