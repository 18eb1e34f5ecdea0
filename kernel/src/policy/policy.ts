/** Ordered, pure rules that run after authority was established. They can only say less, not more. */
import type { JsonValue } from '../canonical/json-value.ts'
import type { Contract } from '../contract/contract.ts'
import type { CapabilityDescription, FactView } from '../execution/capability.ts'
import type { PolicyProposal } from '../proposal/proposal.ts'
import type { WritBody } from '../writ/writ.ts'

export type PolicyInput = {
  readonly proposal: PolicyProposal
  readonly writ: WritBody
  readonly contract: Contract
  readonly capability: CapabilityDescription
  readonly measures: Readonly<Record<string, JsonValue>>
  readonly facts: FactView
}

/** Who is asked, by the channel on which they are told, and why. */
export type PolicyAsk = { readonly channel: string; readonly reason: string }

export type PolicyDecision =
  | { readonly kind: 'permit' }
  | { readonly kind: 'deny'; readonly reason: string }
  /** `also`: who else is asked. Every one of them is, and an approval names each. */
  | ({ readonly kind: 'require_approval'; readonly also?: readonly PolicyAsk[] } & PolicyAsk)

/** A decision with the rules inside the policy that led to it. A policy may not speak: null. */
export type PolicyAnswer = {
  readonly decision: PolicyDecision | null
  readonly determining?: readonly string[]
  readonly erroring?: readonly { readonly rule: string; readonly detail: string }[]
}

export type PolicySource =
  | { readonly kind: 'file'; readonly language: 'typescript' | 'cedar'; readonly hash: string }
  /** Passed inline in code: named in the rules hash as `unpinned`. */
  | { readonly kind: 'unpinned' }

export type Policy = {
  readonly name: string
  readonly version: string
  readonly source: PolicySource
  /** As it is written, where that is text. For people: what is judged is `evaluate`. */
  readonly text?: string
  /** The rules in that text, and the lines they begin on. For people too. */
  readonly rules?: readonly { readonly id: string; readonly line: number }[]
  /** Policy kinds it applies to; absent means all. */
  readonly applies_to?: readonly string[]
  /** What asking it costs at most, where that depends on what an agent sends; absent: nothing to speak of. */
  steps?(input: PolicyInput): number
  evaluate(input: PolicyInput): PolicyAnswer
}
