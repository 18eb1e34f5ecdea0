/** What compile says: one verdict, one reason code from the closed list, and the whole trace. */
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { ResourceNeed } from '../execution/capability.ts'
import type { ExecutionIntent } from '../execution/intent.ts'
import type { IntentText } from '../execution/intent-text.ts'
import type { ReasonCode } from '../reason.ts'
import type { Budget } from '../writ/writ.ts'

export const STAGES = [
  'proof',
  'repeat',
  'atom',
  'kind',
  'signature',
  'window',
  'scope',
  'capability',
  'budget',
  'arguments',
  'preconditions',
  'policy',
  'emission',
] as const

/** A stage of compile, in the order in which they run. */
export type StageName = (typeof STAGES)[number]

/** One check that did not hold. `domain_code` is the contract's own word for `code`. */
export type Refusal = {
  readonly code: ReasonCode
  readonly domain_code?: string
  readonly details: JsonObject
}

/** Why a person or the parent agent has to look. `id` is what an approval lifts. */
export type Trigger = {
  /** What an approval lifts. */
  readonly id: string
  /** Why. */
  readonly code: ReasonCode
  /** The contract's own word for it. */
  readonly domain_code?: string
  /** Where it is asked. */
  readonly channel: string
  /** What it is about here. */
  readonly details: JsonObject
}

/** What was let through, and a person looks at afterwards. `id` is that of the trigger it would have been. */
export type Flag = Omit<Trigger, 'channel'>

export type PolicyTraceLine = {
  readonly policy: string
  readonly version: string
  readonly said: 'permit' | 'deny' | 'require_approval' | 'nothing' | 'error'
  readonly reason?: string
  readonly determining: readonly string[]
  readonly erroring: readonly { readonly rule: string; readonly detail: string }[]
}

export type StageTrace = {
  readonly stage: StageName
  readonly said: 'pass' | 'reject' | 'suspend' | 'repeat'
  /** The facts it read. */
  readonly read: readonly string[]
  /** A part of it was settled by the atom that the proposal names, and not asked again. */
  readonly covered?: true
  readonly refusals?: readonly Refusal[]
  readonly triggers?: readonly Trigger[]
  readonly flagged?: readonly Flag[]
  readonly policies?: readonly PolicyTraceLine[]
  readonly measures?: Readonly<Record<string, JsonValue>>
  /** What it costs altogether, where the parameters cost anything. */
  readonly cost?: Budget
  /** What it needs to hold, where it needs anything. */
  readonly resources?: readonly ResourceNeed[]
  /** The values that the capability holds unmoved, where the contract asks for any. */
  readonly watched?: readonly string[]
}

export type Trace = readonly StageTrace[]

export type Verdict =
  | {
      readonly kind: 'staged'
      readonly intent: ExecutionIntent
      /** Its canonical text, in halves: id and signature stand between them. */
      readonly intent_text: IntentText
      /** It runs, and its flow needs a review. */
      readonly flagged: readonly Flag[]
      readonly trace: Trace
      /** The canonical text of the trace, which the intent addresses. */
      readonly trace_text: string
    }
  | {
      readonly kind: 'suspended'
      readonly code: ReasonCode
      readonly domain_code?: string
      readonly triggers: readonly Trigger[]
      readonly intent_digest: Address
      readonly trace: Trace
    }
  | {
      readonly kind: 'rejected'
      readonly stage: StageName
      readonly code: ReasonCode
      readonly domain_code?: string
      readonly details: JsonObject
      readonly refusals: readonly Refusal[]
      readonly trace: Trace
    }
  | { readonly kind: 'repeated'; readonly trace: Trace }
