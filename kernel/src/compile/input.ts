/** What compile is given: facts, the claim, the documents that the facts name, and the rules. */
import type { Address } from '../canonical/address.ts'
import { addressOfText } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { canonicalText } from '../canonical/write-json.ts'
import type { Contract } from '../contract/contract.ts'
import type { CapabilityLaw, FactView, ResourceNeed } from '../execution/capability.ts'
import type { Policy } from '../policy/policy.ts'
import type { PolicyProposal } from '../proposal/proposal.ts'
import type { Budget, Writ } from '../writ/writ.ts'
import type { Facts } from './facts.ts'

export const COMPILER_VERSION = 'rubicon-kernel/0.2.0'

/** The law in force. Functions are pure and synchronous; `hash` addresses all of them. */
export type Rules = {
  readonly hash: Address
  readonly policies: readonly Policy[]
  capability(kind: string): CapabilityLaw | undefined
  /** A linear-time regular expression engine for `re:` patterns; absent: they match nothing. */
  readonly regex?: (pattern: string, value: string) => boolean
  readonly sha256: Sha256
}

/** A document with its canonical text and address, computed once and stored as they are. */
export type Addressed<T> = {
  readonly value: T
  readonly text: string
  readonly address: Address
}

export type CompileInput = {
  readonly facts: Addressed<Facts>
  readonly proposal: PolicyProposal
  /** The proposal as received. */
  readonly document: Addressed<JsonValue>
  readonly contract: Contract | null
  /** Leaf first, in the order of `facts.writs`. */
  readonly writs: readonly Writ[]
  readonly rules: Rules
}

export function addressed<T>(type: string, value: T, sha256: Sha256): Addressed<T> {
  const text = canonicalText(value as JsonValue)
  return { value, text, address: addressOfText(type, text, sha256) }
}

/** What pure functions may look at: exactly the facts, by name. */
export function factView(facts: Facts): FactView {
  return {
    now: facts.now,
    state: (path) => facts.state.find((fact) => fact.path === path),
    world: (kind, id) => facts.world.find((fact) => fact.kind === kind && fact.id === id),
  }
}

/** When somebody last looked at what the proposal was made on: its agent, or who approved it. */
export function lookedAt({ approval, flow }: Facts): string {
  return approval == null ? flow.snapshot_at : approval.decided_at
}

/** What earlier stages found out, for later ones. */
export type Findings = {
  law?: CapabilityLaw
  cost: Budget
  measures: Record<string, JsonValue>
  resources: readonly ResourceNeed[]
}
