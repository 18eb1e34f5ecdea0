/**
 * The kernel's order to the executor. Only `compile` makes one, and for what is taken back again
 * `saga/undo-intent.ts`: the brand below has no other maker, and the executor checks the kernel's
 * signature before anything else.
 */
import type { Address } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { ApprovalFact } from '../compile/facts.ts'
import type { Signature } from '../keys/key.ts'
import type { ResourceNeed } from './capability.ts'

/** What follows where the effect fails: what stands of its flow is taken back, or a person is told. */
export const ON_FAILURE = ['REVERT_STATE', 'ALERT_HUMAN'] as const
/** One of them. */
export type OnFailure = (typeof ON_FAILURE)[number]

/** What was decided to be done, and on what. */
export type IntentBody = {
  /** The flow. */
  readonly dfid: string
  /** The step of the flow. */
  readonly step_id: string
  /** Which proposal of the flow. */
  readonly attempt: number
  /** Whose ledger. */
  readonly tenant: string
  /** The chain of entries. */
  readonly trajectory: string
  /** Who proposed it. */
  readonly agent_id: string
  /** The capability, by kind and version. */
  readonly capability: string
  /** Its kind. */
  readonly policy_kind: string
  /** What it is called with. */
  readonly params: JsonObject
  /** The key for the provider. */
  readonly idempotency_key: string
  /** Of the parameters: under the same step others are refused. */
  readonly params_fingerprint: string
  /** What it holds while it runs. */
  readonly resources: readonly ResourceNeed[]
  /** Conditions that the proposal set for its own execution. */
  readonly constraints: JsonObject
  /** It takes the effect of another intent back, as a COMPENSATE chose. */
  readonly compensation?: {
    /** What was chosen. */
    readonly action: string
    /** The COMPENSATE, and its flow. */
    readonly chosen: Address
    /** The flow. */
    readonly dfid: string
    /** The intent that it takes back. */
    readonly of: Address
  }
  /** What follows where the effect fails, without the agent; only of an intent that carries a proof. */
  readonly on_failure?: OnFailure
  /** What is reserved for it. */
  readonly cost: Readonly<Record<string, string>>
  /** What the agent had seen. */
  readonly snapshot_id: string
  /** Of the facts that it was decided on. */
  readonly facts_hash: Address
  /** Of the contract that allowed it. */
  readonly contract_hash: Address
  /** Of the capability as it was. */
  readonly capability_hash: Address
  /** Of the writ that it stands on. */
  readonly writ_id: Address
  /** Of the rules in force. */
  readonly rules_hash: string
  /** The version of the kernel. */
  readonly compiler_version: string
  /** Of the proposal. */
  readonly proposal_hash: Address
  /** Of what the policies said. */
  readonly policy_trace_hash: Address
  /** Only where somebody had to approve it. */
  readonly approval?: ApprovalFact
  /** The decision atom that it uses up. */
  readonly atom_id?: Address
  /** When it was decided. */
  readonly staged_at: string
  /** Until when it may be sent. */
  readonly dispatch_before: string
}

declare const compiled: unique symbol

/** Frozen, content-addressed, not yet signed: signing happens outside the kernel. */
export type ExecutionIntent = IntentBody & {
  /** Its address. */
  readonly intent_id: Address
  readonly [compiled]: true
}

/** An intent with the signature of the kernel: what an executor acts on. */
export type SignedIntent = ExecutionIntent & {
  /** Over its address. */
  readonly kernel_signature: Signature
}
