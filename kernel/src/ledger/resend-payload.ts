import type { Address } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Facts, Position } from '../compile/facts.ts'
import type { Trace } from '../compile/verdict.ts'
import type { Signature } from '../keys/key.ts'

/**
 * What is sent again under the same key: what was looked at once more, and what the law said. The
 * kernel signs it, since there is no new intent that it could sign.
 */
export type ResendPayload = {
  readonly salt: string
  readonly body: ResendBody
  readonly facts: Facts
  readonly trace: Trace
  readonly signature: Signature
}

export type ResendBody = {
  readonly intent_id: Address
  /** Its first dispatch. */
  readonly first: Position
  /** 2 for the first that is sent again. */
  readonly send: number
  readonly why: 'same_key' | 'not_applied'
  readonly facts_hash: Address
  readonly policy_trace_hash: Address
  readonly jit: JsonObject
  /** It leaves before this, or not at all. */
  readonly send_before: string
}
