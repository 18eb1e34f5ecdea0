/**
 * The writ: a signed capability document. Authority is contract ∩ writ; it only narrows.
 */
import type { Address } from '../canonical/address.ts'
import type { Signature } from '../keys/key.ts'

export type EffectCeiling = {
  readonly read: boolean
  readonly write: boolean
  readonly external: boolean
  readonly irreversible: boolean
}

export type WritScope = {
  /** A policy kind, or a prefix ending in `*`. */
  readonly kind: string
  /** Resource set → allowed values or trailing-`*` patterns; an absent set is not narrowed here. */
  readonly resources?: Readonly<Record<string, readonly string[]>>
}

/** Measure → decimal text. `calls`, `tokens`, `wall_ms`, `usd`, and measures named by contracts. */
export type Budget = Readonly<Record<string, string>>

export type WritBody = {
  readonly tenant: string
  /** The key that signs this writ: a registered issuer's, or the parent's `subject_key`. */
  readonly issuer_key: string
  readonly subject: string
  /** The key that may sign children; absent: this writ cannot be delegated. */
  readonly subject_key?: string
  readonly audience: string
  /** A UUIDv7: unique, and ordered by time so that counters keyed by it append. */
  readonly nonce: string
  readonly parent?: Address
  readonly scopes: readonly WritScope[]
  readonly effect_ceiling: EffectCeiling
  readonly budget: Budget
  readonly window: { readonly not_before: string; readonly expires_at: string }
  readonly delegation: { readonly max_depth: number; readonly may_delegate: boolean }
}

export type Writ = {
  readonly id: Address
  readonly body: WritBody
  readonly signature: Signature
}
