/** What is kept of an event beside its entry: whom it woke, and what has become of them. */
import type {
  ArbitrationLaw,
  Bid,
  EventWinner,
  FlowMember,
  JsonObject,
  JsonValue,
  Role,
  StateFact,
} from 'rubicon-kernel'

/** A flow of an event, with what its proposals are put in order by. */
export type EventMember = {
  readonly agent: string
  readonly dfid: string
  readonly priority: number
  readonly role: Role
  /** The flow of the event that it was opened below; absent: the event woke its agent. */
  readonly parent?: string
  /** Nothing comes of it any more, and no flow was opened: a newer event woke the agent, or it is gone. */
  readonly ended?: 'superseded' | 'gone'
}

export type EventRecord = {
  readonly topic: string
  readonly at: string
  /** Until when proposals are collected; null: they are not. */
  readonly closes_at: string | null
  /** Who wins, by the rules that took it in: it holds whatever becomes of them. Null: nobody loses. */
  readonly law: ArbitrationLaw | null
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

/** What a record of each kind about events holds. */
export type EventRecords = {
  /**
   * An event, and whom it woke. group: `open` while proposals to it are collected, else `closed`; key: its id.
   */
  readonly event: EventRecord
  /** When it is time to forget an event. group: `due`; key: when it was taken in or last looked at, then its id. */
  readonly event_due: { readonly event_id: string }
  /** What was proposed about an event and waits. group: the event; key: the dfid. */
  readonly bid: BidRecord
  /** Who works on a flow that was woken; null: nobody so far. group: `open`; key: dfid. */
  readonly flow_claim: {
    readonly agent_id: string
    readonly since: string
    readonly claim: { readonly by: string; readonly until: string } | null
  }
  /** State as all flows of an event see it. group: `events`; key: when it was read, then its address. */
  readonly state_snapshot: {
    readonly at: string
    /** What was looked for; what of it is not among the facts was absent. */
    readonly paths: readonly string[]
    readonly facts: readonly StateFact[]
  }
  /** What events of a topic may make agents use, in a window. group: `topics`; key: the topic. */
  readonly admitted_tokens: { readonly window: number; readonly tokens: number }
  /**
   * A message for the bus. group: `due`; key: when it is to be sent, then its id. group: `dead`: nobody could send it;
   * key: its id.
   */
  readonly bus_letter: {
    readonly id: string
    readonly topic: string
    readonly message: JsonObject
    readonly dfid: string
    readonly snapshot_id: string
    readonly attempts: number
    readonly next_at: string
    /** What went wrong the last time. */
    readonly problem: string | null
  }
  /** What a path was when it last woke an agent. group: agent; key: the path. */
  readonly last_wake: { readonly value: JsonValue }
}
