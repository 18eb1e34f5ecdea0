/** What an agent says it wants. A claim: it carries no authority, whatever its confidence. */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Signature } from '../keys/key.ts'

export type ResourceClaim = {
  /** Of the resource. */
  readonly id: string
  /** How much of it, as a decimal. */
  readonly amount: string
}

/** What an agent wants done. */
export type PolicyProposal = {
  /** The flow. */
  readonly dfid: string
  /** Who proposes. */
  readonly agent_id: string
  /** The name of the step in its flow: it is done once. */
  readonly step_id: string
  /** Of the capability. */
  readonly policy_kind: string
  /** What it is called with. */
  readonly params: JsonObject
  /** The snapshot that it was decided on. */
  readonly context_ref?: string
  /** Of mission and contract as the agent was shown them. */
  readonly mission_context_hash?: string
  /** Conditions for its own execution. */
  readonly execution_constraints: JsonObject
  /** What the agent thinks it needs. */
  readonly resources?: readonly ResourceClaim[]
  /** Until when it is meant. */
  readonly valid_until?: string
  /** Decimal text between 0 and 1. It never grants anything. */
  readonly confidence: string
  /** Why; for people, never read by a gate. */
  readonly justification?: string
  /** The explanation that belongs to it. */
  readonly explain_ref?: string
  /** Parameter → path of the fact that it came from. */
  readonly grounds?: Readonly<Record<string, string>>
  /** Of the proposal. */
  readonly schema_version?: string
  /** The writ that it stands on, where there are several. */
  readonly writ_id?: string
  /** Of a proof: it binds flow, snapshot, contract and rules. */
  readonly evidence_hash?: string
  /** Of the decision atom that it was decided under. */
  readonly atom_id?: string
  /** By the agent's key, over everything else. */
  readonly signature?: Signature
  /** With a MODIFY: the proposal that it takes the place of. An agent cannot say it. */
  readonly supersedes?: string
}

/** The proposal as the agent sent it, kept beside the parsed form so that its hash can be checked. */
export type ReceivedProposal = {
  readonly proposal: PolicyProposal
  readonly document: JsonValue
}
