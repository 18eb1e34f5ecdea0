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

export type IntentBody = {
  readonly dfid: string
  readonly step_id: string
  readonly attempt: number
  readonly tenant: string
  readonly trajectory: string
  readonly agent_id: string
  readonly capability: string
  readonly policy_kind: string
  readonly params: JsonObject
  readonly idempotency_key: string
  readonly params_fingerprint: string
  readonly resources: readonly ResourceNeed[]
  readonly constraints: JsonObject
  /** It takes the effect of another intent back, as a COMPENSATE chose. */
  readonly compensation?: {
    readonly action: string
    /** The COMPENSATE, and its flow. */
    readonly chosen: Address
    readonly dfid: string
    readonly of: Address
  }
  readonly cost: Readonly<Record<string, string>>
  readonly snapshot_id: string
  readonly facts_hash: Address
  readonly contract_hash: Address
  readonly capability_hash: Address
  readonly writ_id: Address
  readonly rules_hash: string
  readonly compiler_version: string
  readonly proposal_hash: Address
  readonly policy_trace_hash: Address
  /** Only where somebody had to approve it. */
  readonly approval?: ApprovalFact
  readonly staged_at: string
  readonly dispatch_before: string
}

declare const compiled: unique symbol

/** Frozen, content-addressed, not yet signed: signing happens outside the kernel. */
export type ExecutionIntent = IntentBody & {
  readonly intent_id: Address
  readonly [compiled]: true
}

export type SignedIntent = ExecutionIntent & { readonly kernel_signature: Signature }
