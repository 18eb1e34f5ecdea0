/** Ordered, pure rules that run after authority was established. They can only say less, not more. */
import type { JsonValue } from '../canonical/json-value.ts'
import type { Contract } from '../contract/contract.ts'
import type { CapabilityDescription, FactView } from '../execution/capability.ts'
import type { PolicyProposal } from '../proposal/proposal.ts'
import type { WritBody } from '../writ/writ.ts'

/** What a policy decides on. */
export type PolicyInput = {
  /** What is proposed. */
  readonly proposal: PolicyProposal
  /** The authority that it stands on. */
  readonly writ: WritBody
  /** The contract of its agent. */
  readonly contract: Contract
  /** What it would do. */
  readonly capability: CapabilityDescription
  /** As the capability computed them. */
  readonly measures: Readonly<Record<string, JsonValue>>
  /** State and World, as the capability reads them. */
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
  /** Null: it says nothing. */
  readonly decision: PolicyDecision | null
  /** Rules that decided. */
  readonly determining?: readonly string[]
  /** Rules that failed: they refuse. */
  readonly erroring?: readonly { readonly rule: string; readonly detail: string }[]
}

/** Where a policy came from. */
export type PolicySource =
  | {
      readonly kind: 'file'
      /** In which it is written. */
      readonly language: 'typescript' | 'cedar'
      /** Of its bytes. */
      readonly hash: string
    }
  /** Passed inline in code: named in the rules hash as `unpinned`. */
  | { readonly kind: 'unpinned' }

/** A rule beside the contracts, in force for all agents. */
export type Policy = {
  /** By which verdicts name it. */
  readonly name: string
  /** Raised with every change. */
  readonly version: string
  /** Where it came from, by hash. */
  readonly source: PolicySource
  /** As it is written, where that is text. For people: what is judged is `evaluate`. */
  readonly text?: string
  /** The rules in that text, and the lines they begin on. For people too. */
  readonly rules?: readonly { readonly id: string; readonly line: number }[]
  /** Policy kinds it applies to; absent means all. */
  readonly applies_to?: readonly string[]
  /** What asking it costs at most, where that depends on what an agent sends; absent: nothing to speak of. */
  steps?(input: PolicyInput): number
  /** Says yes, no, that a person decides, or nothing. Pure. */
  evaluate(input: PolicyInput): PolicyAnswer
}
