/**
 * What a MODIFY would let happen, judged before anybody decides on it. Whoever changes a request into
 * something else owes that the care that it asks for, not the care that was asked of them before.
 *
 * M1 the digest covers who it was judged for, what would run, its impact, and from when on they may
 *    decide: a decision that names it cannot be about less.
 */
import { type Address, computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { ImpactFinding } from './impact.ts'

/** What would run instead, and how much care that asks for. */
export type JudgedModification = ImpactFinding & {
  /** The request. */
  readonly request_id: string
  /** For whom it was judged, a person or `agent:…`: they begin to read it then, whatever name they come by. */
  readonly judged_for: string
  /** Of the proposal that would run. */
  readonly proposal_hash: Address
  /** With HIGH_IMPACT: what whoever approves it has to type. */
  readonly acknowledge?: string
  /** Before it nobody can have read it. */
  readonly not_before: string
}

/** What a decision names. */
export function computeModificationDigest(judged: JudgedModification, sha256: Sha256): Address {
  return computeAddress('modification', judged, sha256)
}
