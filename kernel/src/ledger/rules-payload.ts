/** What the rules leave in the ledger: that they are in force, and which capabilities stand beside them. */
import type { Address } from '../canonical/address.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import type { TopicRow } from '../topology/topic.ts'
import type { TopologyRow } from '../topology/topology.ts'

/** A capability as it may be used from here on. */
export type CapabilityRecord = {
  readonly capability: CapabilityDescription
  readonly capability_hash: Address
}

/**
 * By an operator. The rules in force from here on: what `rules_hash` addresses. `capabilities` are
 * those that are new or changed with them; what was recorded before and is not named stays.
 */
export type RulesBody = {
  readonly rules_hash: Address
  readonly rules: RuleSet
  readonly capabilities: readonly CapabilityRecord[]
  /** Policies that are text, by the hash that `rules` names: so that an auditor can read the law. */
  readonly texts: Readonly<Record<string, string>>
  /** Until then the rules before, and what they were recorded with, count too. */
  readonly previous_until?: string
}

/** By an operator: a capability that is added or changed while the rules stay. */
export type CapabilityBody = CapabilityRecord & {
  readonly action: 'capability'
  readonly previous_until?: string
}

export type RuleSet = {
  readonly compiler_version: string
  readonly reason_table: Address
  readonly evaluators: Readonly<Record<string, string>>
  readonly policies: readonly PolicyRecord[]
  /** Only where there are any. */
  readonly topologies?: readonly TopologyRow[]
  /** What holds for events; only where there are any. */
  readonly topics?: readonly TopicRow[]
}

export type PolicyRecord = {
  readonly name: string
  readonly version: string
  readonly source: string
  readonly applies_to?: readonly string[]
}
