/** Rules in the hands of somebody who runs nothing: loaded, judged by, compared with what is recorded. */
import type { Authority, Policy, Rules, TopicRow, TopologyRow } from 'rubicon-kernel'
import { systemClock } from './adapters/system/clock.ts'
import { sha256 } from './adapters/system/sha256.ts'
import { computeRulesState, type RulesState } from './engine/authority/registry/record-rules.ts'
import { loadPolicy as loadForm } from './policies/load-policy.ts'
import type { PolicyForm } from './policies/policy-form.ts'
import type { Capability } from './ports/capability.ts'
import { unwrap } from './rubicon-error.ts'
import { buildRuleBook } from './rule-book.ts'

/** The law of a set of capabilities and policies, without hands: for running records again. */
export function buildRules(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
  topologies: readonly TopologyRow[] = [],
  topics: readonly TopicRow[] = [],
): Rules {
  return unwrap(buildRuleBook(capabilities, policies, sha256, topologies, topics)).rules
}

/** What they are against the rules that are recorded, without starting anything. */
export function deriveRulesState(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
  rules: Authority['rules'],
  topologies: readonly TopologyRow[] = [],
  topics: readonly TopicRow[] = [],
): RulesState {
  const book = unwrap(buildRuleBook(capabilities, policies, sha256, topologies, topics))
  return computeRulesState({ book, sha256, clock: systemClock }, { rules })
}

/** A policy in any form, as a runtime would take it; paths begin in the folder of the process. */
export async function loadPolicy(form: PolicyForm): Promise<Policy> {
  return unwrap(await loadForm(form, { sha256 }))
}
