/** What a story is made of. */
import type { JsonObject, JsonValue, Trace } from 'rubicon-kernel'

/** An entry of the ledger, as the server or a bundle shows it. */
export type FlowEntry = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly id: string
  readonly kind: string
  readonly at: string
  /** Null: it was erased, or lies in an archive. */
  readonly payload?: unknown
}

/** A check that did not hold. */
export type Finding = {
  readonly code: string
  readonly domain_code: string | null
  readonly details: Partial<JsonObject>
}

export type Attempt = {
  readonly kind: 'attempt'
  readonly entry: FlowEntry
  readonly attempt: number
  readonly outcome: 'accepted' | 'rejected' | 'escalated'
  readonly code: string | null
  /** The one that refused. */
  readonly stage: string | null
  readonly trace: Trace
  readonly proposal: JsonValue | undefined
  readonly facts: JsonValue | undefined
  /** Why it was refused, why somebody had to decide, or why what ran needs a review. */
  readonly why: readonly Finding[]
  /** Who lifted which triggers, where it was released. */
  readonly lifted: { readonly by: string; readonly triggers: readonly string[] } | null
}

/** What a person, or the parent agent, decided about a request; or that nobody did in time. */
export type Ruling = {
  readonly kind: 'ruling'
  readonly entry: FlowEntry
  readonly decision: string
  readonly by: string
  readonly justification: string
  /** Whether something may run from here on. */
  readonly releases: boolean
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
  /** In the order of the ledger. */
  readonly steps: readonly (Attempt | Ruling)[]
  readonly spans: readonly Span[]
  readonly milestones: readonly Milestone[]
}
