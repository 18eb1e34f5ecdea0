/** What a story is made of. */
import type { JsonValue, Trace } from 'rubicon-kernel'

/** An entry of the ledger, as the server or a bundle shows it. */
export type FlowEntry = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly id: string
  readonly kind: string
  readonly at: string
  /** Null: it was erased. */
  readonly payload?: unknown
}

export type Attempt = {
  readonly entry: FlowEntry
  readonly attempt: number
  readonly outcome: 'accepted' | 'rejected' | 'escalated'
  readonly code: string | null
  /** The one that refused. */
  readonly stage: string | null
  readonly trace: Trace
  readonly proposal: JsonValue | undefined
  readonly facts: JsonValue | undefined
  readonly details: JsonValue
}

export type MilestoneName =
  | 'observed'
  | 'compiled'
  | 'proposed'
  | 'decided'
  | 'dispatched'
  | 'settled'

export type Milestone = { readonly name: MilestoneName; readonly at: string | null }

/** The time between two entries, and whose it was. */
export type Span = {
  readonly who: 'agent' | 'person' | 'executor' | 'effect' | 'unknown' | 'record'
  readonly what: string
  readonly ms: number
  readonly from: FlowEntry
  readonly to: FlowEntry
}

export type Story = {
  readonly attempts: readonly Attempt[]
  readonly spans: readonly Span[]
  readonly milestones: readonly Milestone[]
}
