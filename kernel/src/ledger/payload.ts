/**
 * What each kind of entry carries. Payloads are canonical JSON; `salt` keeps a payload that may one
 * day be erased from being guessed by its hash.
 */
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Facts, Position } from '../compile/facts.ts'
import type { StageName, Trace } from '../compile/verdict.ts'
import type { Contract } from '../contract/contract.ts'
import type { AgentStatus, LifecycleActor } from '../contract/lifecycle.ts'
import type { EscalationRequest } from '../escalation/request.ts'
import type { SignedIntent } from '../execution/intent.ts'
import type { ExecutionStatus } from '../execution/outcome.ts'
import type { FactSource } from '../fact/source.ts'
import type { Ending } from '../flow/governor.ts'
import type { KeyPurpose, Signature } from '../keys/key.ts'
import type { ContractPersons } from '../person/person.ts'
import type { FlowMember } from '../proposal/complete-proposal.ts'
import type { Delta } from '../world/delta.ts'
import type { WorldLeaf } from '../world/erased-leaves.ts'
import type { Writ } from '../writ/writ.ts'
import type { PROTOCOL } from './entry.ts'
import type { MonitorBody } from './monitor-payload.ts'
import type { Occasion } from './occasion.ts'
import type { CapabilityBody, RulesBody } from './rules-payload.ts'

export type RootPayload = { readonly protocol: typeof PROTOCOL; readonly created_by: string }

export type BranchPayload = {
  readonly protocol: typeof PROTOCOL
  readonly source: Position & { readonly id: Address }
  readonly world_after: string
  readonly note: string
}

/** Authority documents are signed: the signature covers the canonical bytes of `body`. */
export type KeyBody = {
  /** What happens to it. */
  readonly action: 'add' | 'retire' | 'compromise'
  /** Its name, derived from the public key. */
  readonly key_id: string
  /** What it is for. */
  readonly purpose: KeyPurpose
  /** Base64 of the 32 raw bytes. */
  readonly public_key: string
  /** Whose it is. */
  readonly subject: string
  /** With `compromise`: from which authority seq on its signatures do not count. */
  readonly since_seq?: number
  /** The operator who asked for it; the owner of the key does not sign this member. */
  readonly by?: string
}
export type KeyPayload = {
  readonly body: KeyBody
  /** By the key itself over the body without `by`, when it is added. */
  readonly possession?: string
  /** By an operator key; the first operator key vouches for itself. */
  readonly signature: Signature
}

export type ContractPayload = { readonly body: ContractBody; readonly signature: Signature }
export type ContractBody = Deployment | Spawning

/** By an operator. */
export type Deployment = {
  readonly action: 'deploy'
  readonly contract: Contract
  readonly contract_hash: Address
  readonly revoke_previous: boolean
  /** Who its owner, its approvers and whoever had it signed are. */
  readonly persons: ContractPersons
  /** The name that whoever had it signed came by, where that is known. */
  readonly by?: string
}

/** By the runtime: an instance, whose contract lies inside that of its class. */
export type Spawning = {
  readonly action: 'spawn'
  readonly contract: Contract
  readonly contract_hash: Address
  /** The contract of the class that it was narrowed from. */
  readonly of: Address
  /** By which agent's proposal, and what ends it; absent where an operator spawns and ends it. */
  readonly occasion?: Occasion
}

export type LifecyclePayload = {
  readonly body: {
    readonly agent_id: string
    readonly from: AgentStatus | null
    readonly to: AgentStatus
    readonly actor: LifecycleActor
    readonly by: string
    readonly justification: string
  }
  readonly signature: Signature
}

export type RevocationPayload = {
  readonly body: {
    readonly target: 'writ' | 'contract'
    /** A writ id, or `agent_id@version`, or an agent_id for all its versions. */
    readonly id: string
    readonly reason: string
    /** As for a deployment. */
    readonly by?: string
  }
  readonly signature: Signature
}

export type PolicyPayload = {
  readonly body: RulesBody | CapabilityBody | MonitorBody
  readonly signature: Signature
}

/** By an operator: who may say what some paths of State are, and how much that counts. */
export type SourcePayload = { readonly body: SourceBody; readonly signature: Signature }
export type SourceBody =
  /** In place of what was registered under the name. */
  | (FactSource & { readonly action: 'register'; readonly by?: string })
  | { readonly action: 'retire'; readonly source_id: string; readonly by?: string }

/** Opens a flow: its writ, what the agent was shown, and under which contract. */
export type WritPayload = {
  readonly salt: string
  readonly writ: Writ
  readonly flow?: {
    readonly dfid: string
    readonly agent_id: string
    readonly trigger: string
    readonly parent_dfid?: string
    readonly steps: 'one' | 'many'
    readonly contract: { readonly hash: Address; readonly seq: number }
    readonly snapshot: JsonObject
    readonly snapshot_id: string
    /** What woke its agent. */
    readonly event_id?: Address
  }
}

/** A writ narrowed for a child flow, and its end. Both stand in the parent's trajectory. */
/** Who opened a child: the session of the flow's agent, a step of it (SPAWN_CHILD), or the runtime. */
export type OpenedBy =
  | { readonly kind: 'session' }
  | { readonly kind: 'intent'; readonly intent_id: Address }
  | { readonly kind: 'runtime' }

export type DelegationPayload = {
  readonly salt: string
  readonly parent_dfid: string
  readonly child_dfid: string
  readonly child_agent: string
  readonly child_trajectory: string
  readonly writ_id: Address
  /** When the child opens. */
  readonly opened_by?: OpenedBy
  /** At the end of the child flow: what it did not use goes back to the parent's budget. */
  readonly returned?: Readonly<Record<string, string>>
}

/** What compile was given and what it said; shared by the three ways a proposal can end. */
export type DecisionRecord = {
  readonly salt: string
  readonly attempt: number
  /** The document that was judged; absent when it was no JSON. */
  readonly proposal?: JsonValue
  /** Members of it that were absent in what was received, and are the flow's own. */
  readonly filled?: readonly FlowMember[]
  /** SHA-256 of the bytes as received. */
  readonly received: string
  readonly facts?: Facts
  readonly facts_hash?: Address
  readonly trace: Trace
}

export type DispatchPayload = DecisionRecord & {
  readonly intent: SignedIntent
  /** What is sent again has an entry of its own: `resend`. */
  readonly send: 1
  /** What was read just before, and how old it was. */
  readonly jit: JsonObject
}

/** With executors of their own: decided and reserved, not yet dispatched. */
export type AcceptedPayload = DecisionRecord & {
  readonly intent: SignedIntent
  readonly jit: JsonObject
}

/** The dispatch of an accepted intent: what was looked at once more, just before. */
export type CarryOutPayload = {
  readonly salt: string
  readonly intent_id: Address
  readonly accepted: Position
  readonly send: 1
  readonly facts: Facts
  readonly facts_hash: Address
  readonly jit: JsonObject
}

export type RejectionPayload = DecisionRecord & {
  readonly stage: StageName | 'parser' | 'queue' | 'dispatch'
  readonly gate: number | null
  readonly reason_code: string
  readonly domain_code?: string
  readonly details: JsonObject
  /** A fresh look at the world, for the agent to think again. */
  readonly snapshot?: JsonObject
  readonly snapshot_id?: string
  /** This rejection ended the flow. */
  readonly ended_flow?: Ending
}

/** A proposal that waits for somebody to decide. */
export type PendingApprovalPayload = DecisionRecord & { readonly request: EscalationRequest }

/** A flow that waits for a person without a proposal: it fell silent, or its effects keep failing. */
export type AskedPayload = {
  readonly salt: string
  readonly attempt: number
  readonly request: EscalationRequest
}

export type CommitPayload = {
  readonly salt: string
  readonly intent_id: Address
  readonly proposal_hash: Address
  readonly writ_id: Address
  readonly delta: Delta
  readonly inverse: Delta
  readonly world_after: string
  readonly observations: readonly JsonValue[]
  readonly policy_trace_hash: Address
  readonly compiler_version: string
  readonly rules_hash: string
  readonly facts_hash: Address
  readonly cost: Readonly<Record<string, string>>
  readonly receipt: JsonValue
  /** How it was learned: the answer itself, or evidence found later. */
  readonly settled_by: 'answer' | 'probe' | 'resend' | 'person'
  readonly compensates?: Address
}

export type SettlePayload = {
  readonly salt: string
  readonly intent_id: Address
  readonly status: Exclude<ExecutionStatus, 'ACCEPTED' | 'DISPATCHED'>
  readonly reason_code: string
  readonly details: JsonObject
}

/** An operator's signed word that payloads of one flow are gone, and which. */
export type ErasurePayload = {
  readonly body: {
    readonly dfid: string
    readonly reason: string
    /** The person who had it signed, where that is known. */
    readonly by?: string
    readonly payloads: readonly ErasedPayload[]
  }
  readonly signature: Signature
}

export type ErasedPayload = Position & {
  /** Index of the entry in the tree. */
  readonly leaf: number
  /** Of a commit, and of nothing else: what its delta made of each resource that it changed. */
  readonly world?: readonly WorldLeaf[]
}

/** A loss is accepted; opens a new log epoch. */
export type RestoreAnchor = {
  readonly action: 'accept_restore'
  readonly epoch: number
  /** The checkpoint that the restored ledger does not reach. */
  readonly checkpoint: string
  readonly lost_from: number
  readonly lost_to: number
  readonly reason: string
}

/** The clock is right as it stands, although it was set; `last` is where it stood before. */
export type ClockAnchor = {
  readonly action: 'confirm_clock'
  readonly clock: string
  readonly last: string
  readonly reason: string
}

/** An operator's signed word about the ground that the ledger stands on. */
export type AnchorPayload = {
  readonly body: RestoreAnchor | ClockAnchor
  readonly signature: Signature
}
