/**
 * The writ: a signed capability document. Authority is contract ∩ writ; it only narrows.
 */
import type { Address } from '../canonical/address.ts'
import type { Signature } from '../keys/key.ts'

/** What effects a writ allows at most. */
export type EffectCeiling = {
  /** To look. */
  readonly read: boolean
  /** To change World. */
  readonly write: boolean
  /** To act outside. */
  readonly external: boolean
  /** To do what cannot be taken back. */
  readonly irreversible: boolean
}

/** A kind, and the resources that it may act on. */
export type WritScope = {
  /** A policy kind, or a prefix ending in `*`. */
  readonly kind: string
  /** Resource set → allowed values or trailing-`*` patterns; an absent set is not narrowed here. */
  readonly resources?: Readonly<Record<string, readonly string[]>>
}

/** Measure → decimal text. `calls`, `tokens`, `wall_ms`, `usd`, and measures named by contracts. */
export type Budget = Readonly<Record<string, string>>

/** Authority as it is signed: for whom, over what, how much and how long. */
export type WritBody = {
  /** Whose ledger. */
  readonly tenant: string
  /** The key that signs this writ: a registered issuer's, or the parent's `subject_key`. */
  readonly issuer_key: string
  /** The agent. */
  readonly subject: string
  /** The key that may sign children; absent: this writ cannot be delegated. */
  readonly subject_key?: string
  /** The runtime that it counts for. */
  readonly audience: string
  /** A UUIDv7: unique, and ordered by time so that counters keyed by it append. */
  readonly nonce: string
  /** The writ that it narrows. */
  readonly parent?: Address
  /** Kinds and resources. */
  readonly scopes: readonly WritScope[]
  /** What effects at most. */
  readonly effect_ceiling: EffectCeiling
  /** How much. */
  readonly budget: Budget
  /** From when until when. */
  readonly window: { readonly not_before: string; readonly expires_at: string }
  /** Whether, and how far, it may be narrowed for others. */
  readonly delegation: { readonly max_depth: number; readonly may_delegate: boolean }
}

export type Writ = {
  readonly id: Address
  readonly body: WritBody
  readonly signature: Signature
}
