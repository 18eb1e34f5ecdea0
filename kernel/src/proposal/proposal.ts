/** What an agent says it wants. A claim: it carries no authority, whatever its confidence. */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Signature } from '../keys/key.ts'

export type ResourceClaim = { readonly id: string; readonly amount: string }

export type PolicyProposal = {
  readonly dfid: string
  readonly agent_id: string
  readonly step_id: string
  readonly policy_kind: string
  readonly params: JsonObject
  readonly context_ref?: string
  readonly mission_context_hash?: string
  readonly execution_constraints: JsonObject
  readonly resources?: readonly ResourceClaim[]
  readonly valid_until?: string
  /** Decimal text between 0 and 1. It never grants anything. */
  readonly confidence: string
  readonly justification?: string
  readonly explain_ref?: string
  /** Parameter → path of the fact that it came from. */
  readonly grounds?: Readonly<Record<string, string>>
  readonly schema_version?: string
  readonly writ_id?: string
  readonly signature?: Signature
  readonly supersedes?: string
}

/** The proposal as the agent sent it, kept beside the parsed form so that its hash can be checked. */
export type ReceivedProposal = {
  readonly proposal: PolicyProposal
  readonly document: JsonValue
}
