/** What compile is given: facts, the claim, the documents that the facts name, and the rules. */
import type { Address } from '../canonical/address.ts'
import { computeAddressOfText } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Contract } from '../contract/contract.ts'
import type { Regex } from '../contract/pattern.ts'
import type { CapabilityLaw, FactView, ResourceNeed } from '../execution/capability.ts'
import { isAccepted } from '../fact/accept.ts'
import type { StateFact } from '../fact/state-fact.ts'
import type { Policy } from '../policy/policy.ts'
import type { PolicyProposal } from '../proposal/proposal.ts'
import type { TopicRow } from '../topology/topic.ts'
import type { TopologyRow } from '../topology/topology.ts'
import type { Budget, Writ } from '../writ/writ.ts'
import type { Facts, SeenFact } from './facts.ts'
import type { StageName } from './verdict.ts'

export const COMPILER_VERSION = 'rubicon-kernel/0.2.0'

/** The law in force. Functions are pure and synchronous; `hash` addresses all of them. */
export type Rules = {
  readonly hash: Address
  readonly policies: readonly Policy[]
  /** Which decisions take which way; none: plain flows all of them. */
  readonly topologies?: readonly TopologyRow[]
  /** What holds for events about which paths. */
  readonly topics?: readonly TopicRow[]
  capability(kind: string): CapabilityLaw | undefined
  /** A linear-time regular expression engine for `re:` patterns; absent: nothing that has one is allowed. */
  readonly regex?: Regex
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

export function toAddressed<T>(type: string, value: T, sha256: Sha256): Addressed<T> {
  const text = toCanonicalText(value as JsonValue)
  return { value, text, address: computeAddressOfText(type, text, sha256) }
}

/** Who may widen what is read: the capability by its description, and the contract. */
export type Readers = {
  readonly law: Pick<CapabilityLaw, 'description'>
  readonly contract: Pick<Contract, 'permissions'> | null
}

/**
 * What decides may look at: the facts, by name, and of State only those whose label is accepted.
 * Everything that judges a proposal reads State through here: what is below is absent for all alike.
 */
export function createFactView(
  facts: Pick<Facts, 'now' | 'state' | 'world'>,
  readers: Readers,
): FactView {
  return {
    now: facts.now,
    state: (path) => findAcceptedFact(facts.state, path, readers),
    world: (kind, id) => facts.world.find((fact) => fact.kind === kind && fact.id === id),
  }
}

export function findAcceptedFact<T extends StateFact | SeenFact>(
  facts: readonly T[],
  path: string,
  readers: Readers,
): T | undefined {
  const fact = facts.find((one) => one.path === path)
  return fact !== undefined && isReadable(fact, readers) ? fact : undefined
}

export function isReadable(fact: StateFact | SeenFact, { law, contract }: Readers): boolean {
  return isAccepted(fact, [law.description.accepts, contract?.permissions.accepts])
}

/** When somebody last looked at what the proposal was made on: its agent, or who approved it. */
export function getLastLookTime({ approval, flow }: Facts): string {
  return approval == null ? flow.snapshot_at : approval.decided_at
}

/** What is asked about authority alone, before anybody has decided anything. */
export type AuthorityInput = Pick<CompileInput, 'contract' | 'writs' | 'rules'> & {
  readonly facts: { readonly value: AuthorityFacts }
  readonly proposal: Pick<PolicyProposal, 'agent_id' | 'policy_kind' | 'writ_id'>
}

export type AuthorityFacts = Pick<
  Facts,
  'agent' | 'audience' | 'capability' | 'contract' | 'flow' | 'now' | 'tenant' | 'writs'
>

/** What earlier stages found out, for later ones. */
export type Findings = {
  law?: CapabilityLaw
  /** Stages of which an atom settled a part. */
  covered?: readonly StageName[]
  /** The atom that is used up by it. */
  atom_id?: Address
  cost: Budget
  measures: Record<string, JsonValue>
  resources: readonly ResourceNeed[]
}
