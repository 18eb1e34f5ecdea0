/** What is kept of an event beside its entry: whom it woke, and what has become of them. */
import type { Role } from 'rubicon-kernel'

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
}
