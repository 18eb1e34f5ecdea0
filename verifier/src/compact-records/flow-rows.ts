/** What is kept of flows and intents. */
import type { Address } from 'rubicon-kernel'

/** What later entries about an intent are held against. */
export type Intent = {
  readonly trajectory: string
  readonly dfid: string
  /** Of its dispatch; until then of the entry that accepted it. */
  readonly seq: number
  /** Null: decided and dispatched in one. */
  readonly acceptedSeq: number | null
  readonly agent: string
  readonly contract: Address
  readonly writ: Address
  /** The key of whoever proposed it, when it was decided. */
  readonly speaker: string | null
  /** The flow whose authority it stands on: of what takes back, the one that chose so. */
  readonly bearer: string
  /** What it was decided by; null: taken back on the word of another, whatever the rules are now. */
  readonly ruledBy: Ruled | null
  /** Null: nobody had to approve it. */
  readonly approvedUntil: string | null
  /** Null once it was committed. */
  readonly hashes: string | null
  /** Null: accepted, and not sent so far. */
  readonly sends: number | null
  /** Given back before it was sent. */
  readonly abandoned: boolean
  /** What it asks the runtime to do for its agent. */
  readonly asks: string | null
}

export type Ruled = {
  readonly rules: string
  readonly kind: string
  readonly capability: string
}

/** As it was opened: where, for whom, under which version, with which writ of its own, and for how much. */
export type OpenedFlow = {
  readonly trajectory: string
  readonly agent: string
  readonly contract: Address
  readonly writ: Address
  readonly isOneStep: boolean
  /** The event that woke it, or the flow that it was opened below; null: none did. */
  readonly event: Address | null
  /** Of that event; null: there is none, or it is not known. */
  readonly topic: string | null
}
