/**
 * Everything compile may read. Nothing else exists for it: no clock, no store, no environment.
 *
 * The whole document is stored with the verdict, content-addressed, so that anyone can run the
 * decision again. Large immutable documents (contract, writs) are named by hash and position.
 */

import type { Address } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { AgentStatus } from '../contract/lifecycle.ts'
import type { AgentPast, Impact } from '../escalation/impact.ts'
import type { ExecutionStatus } from '../execution/outcome.ts'
import type { FactLabel } from '../fact/label.ts'
import type { StateFact } from '../fact/state-fact.ts'
import type { FlowState } from '../flow/flow.ts'
import type { KeyFact, SignatureFact } from '../keys/key.ts'
import type { SagaFact } from '../saga/saga.ts'
import type { EventRef } from '../topology/event.ts'
import type { WorldFact } from '../world/world-fact.ts'

/** Where a document stands in the ledger. */
export type Position = { readonly trajectory: string; readonly seq: number }

/** How the proposal was authenticated. */
export type AuthFact =
  /** `key`: the one that the session was bound to, as it counts now; null for one in process. */
  | { readonly kind: 'session'; readonly agent_id: string; readonly key: KeyFact | null }
  | { readonly kind: 'signature'; readonly signature: SignatureFact }
  /** The person whose decision put it in the place of the agent's own. */
  | { readonly kind: 'approval'; readonly request_id: string; readonly approver: string }

export type FlowFact = {
  readonly dfid: string
  readonly agent_id: string
  readonly state: FlowState
  readonly trajectory: string
  /** Final rejections so far, and transient ones. */
  readonly rejections: number
  readonly transient_rejections: number
  readonly snapshot_id: string
  readonly snapshot_at: string
  /** Of its own writ and those above it the one that was revoked: then the flow is over. */
  readonly revoked_writ: Address | null
  /** The event that woke it; absent: none did. */
  readonly event?: EventRef
}

export type AgentFact = { readonly status: AgentStatus | null; readonly maintenance: boolean }

export type ContractFact = {
  readonly hash: Address
  /** Its seq in the authority trajectory. */
  readonly seq: number
  /** Address of its mission and constraints, which a proposal must carry. */
  readonly mission_hash: Address
  readonly revoked: boolean
}

/** One link of the writ chain, leaf first. */
export type WritFact = {
  readonly id: Address
  /** The dfid of the flow it was issued for, or its own name when it was issued by hand. */
  readonly nonce: string
  readonly signature: SignatureFact
  readonly revoked: boolean
}

/** The step as already claimed, if it is. */
export type ClaimFact = {
  readonly params_fingerprint: string
  readonly status: ExecutionStatus
}

/** What a budget has granted and what is reserved or spent of it, as decimals. */
export type BudgetFact = {
  readonly writ: Address
  readonly measure: string
  readonly granted: string
  readonly used: string
}

/** What all flows of the agent, or of its class, have reserved or spent in the present window. */
export type AgentWindowFact = {
  readonly from: string
  readonly used: Readonly<Record<string, string>>
}

/** What the agent was shown of a value that must not move. */
export type SeenFact = {
  /** Where it stands in State. */
  readonly path: string
  /** What it was. */
  readonly value: JsonValue
  /** Whose word it is. */
  readonly label: FactLabel
  /** When it was observed. */
  readonly observed_at: string
}

/** What was decided about this proposal, at its release. */
export type ApprovalFact = {
  /** The request that was approved. */
  readonly request_id: string
  /** Whether it runs as asked, or modified. */
  readonly decision: 'OVERRIDE' | 'MODIFY'
  /** The last of those who approved. */
  readonly approver: string
  /** How many did; none: it is asked about again, under the rules of now. */
  readonly decisions: number
  /** What may run: the digest of the intent, or of a MODIFY the address of the new proposal. */
  readonly binds: string
  /** The rules under which it was decided. */
  readonly rules_hash: string
  /** Ids of triggers that do not suspend it again. Nothing else is lifted. */
  readonly lifts: readonly string[]
  /** As what it was approved, and by which past that was judged: a higher impact asks again. */
  readonly impact: Impact
  /** What the agent had done before. */
  readonly past: AgentPast
  /** Takes the place of the proposal's own deadline. */
  readonly valid_until: string
  /** Takes the place of the moment at which the agent looked: then a person looked. */
  readonly decided_at: string
}

/** What was recorded of the rules, and of the proposal's kind: the hashes that count now. */
export type InForceFact = {
  readonly rules: readonly string[]
  readonly capability: readonly string[]
}

export type Facts = {
  /** Authority time: never earlier than what the ledger has already seen. */
  readonly now: string
  readonly tenant: string
  /** Which service this is; writs name it as their audience. */
  readonly audience: string
  readonly authority_seq: number
  readonly attempt: number
  readonly auth: AuthFact
  readonly flow: FlowFact
  readonly agent: AgentFact
  readonly contract: ContractFact | null
  readonly writs: readonly WritFact[]
  readonly capability: { readonly kind: string; readonly hash: Address } | null
  readonly claim: ClaimFact | null
  /** Null, but when what waited for approval is released. */
  readonly approval: ApprovalFact | null
  readonly budgets: readonly BudgetFact[]
  /** Null where the contract has no `budget_per_agent`. */
  readonly agent_window: AgentWindowFact | null
  readonly state: readonly StateFact[]
  /** From the agent's snapshot, at the paths that the capability's `jit` names. */
  readonly seen: readonly SeenFact[]
  readonly world: readonly WorldFact[]
  /** With COMPENSATE: the flow that it names; null where there is none. */
  readonly saga?: SagaFact | null
  /** What this process decides by. */
  readonly rules_hash: string
  readonly in_force: InForceFact
}
