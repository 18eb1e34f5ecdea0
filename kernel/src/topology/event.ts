/**
 * An event: observations that came in together and made it worth waking somebody, and whom. Every agent that it wakes
 * has a flow of its own; what they share is the event, which is on the record once and named in the opening of each.
 */
import type { Address } from '../canonical/address.ts'
import { computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { FactLabel } from '../fact/label.ts'

/** What was observed, without the value: that stands in the snapshots of those who were woken. */
export type EventObservation = {
  readonly path: string
  readonly version: number
  readonly source: string
  readonly label: FactLabel
  readonly value_hash: Address
}

/** What was counted before it was decided who is woken. */
export type AdmissionCount = {
  /** Agents whose condition held. */
  readonly candidates: number
  /** The largest change, in percent; absent where the rules do not ask, or where it cannot be measured. */
  readonly volatility?: string
  /** What the table allows, and what the tokens that are left do; absent where the rules do not ask. */
  readonly by_table?: number
  readonly by_tokens?: number
  readonly tokens_left?: number
}

/** Everything of an event but its name. */
export type EventBody = {
  readonly topic: string
  readonly observations: readonly EventObservation[]
  /** The one reading of State that the flows of the event share. */
  readonly state_snapshot_id: Address
  readonly woken: readonly { readonly agent: string; readonly dfid: string }[]
  readonly not_woken: readonly { readonly agent: string; readonly code: string }[]
  readonly admission: AdmissionCount
}

/** What an entry of the kind `event` says. */
export type EventPayload = EventBody & { readonly salt: string; readonly event_id: Address }

/** The event that woke a flow. */
export type EventRef = { readonly event_id: Address; readonly topic: string }

export function computeEventId(body: EventBody, sha256: Sha256): Address {
  return computeAddress('event', body, sha256)
}
