/** The address of the law in force: compiler, reason table, evaluators and every policy. */
import type { Address } from '../canonical/address.ts'
import { computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { RuleSet } from '../ledger/rules-payload.ts'
import type { Policy, PolicySource } from '../policy/policy.ts'
import { REASON_CODES, REASONS } from '../reason.ts'
import type { TopicRow } from '../topology/topic.ts'
import type { TopologyRow } from '../topology/topology.ts'
import { COMPILER_VERSION } from './input.ts'

export function buildRuleSet(
  policies: readonly Policy[],
  evaluators: Readonly<Record<string, string>>,
  sha256: Sha256,
  topologies: readonly TopologyRow[] = [],
  topics: readonly TopicRow[] = [],
): RuleSet {
  return {
    ...(topologies.length === 0 ? {} : { topologies }),
    ...(topics.length === 0 ? {} : { topics }),
    compiler_version: COMPILER_VERSION,
    reason_table: hashReasonTable(sha256),
    evaluators,
    policies: policies.map(({ name, version, source, applies_to }) => ({
      name,
      version,
      source: formatSource(source),
      ...(applies_to === undefined ? {} : { applies_to }),
    })),
  }
}

export function hashRules(rules: RuleSet, sha256: Sha256): Address {
  return computeAddress('rules', rules, sha256)
}

/** The text of policies that are written as text, by the hash that the rule set names. */
export function collectPolicyTexts(policies: readonly Policy[]): Readonly<Record<string, string>> {
  const texts: [string, string][] = []
  for (const { source, text } of policies)
    if (source.kind === 'file' && source.language === 'cedar' && text !== undefined)
      texts.push([source.hash, text])
  return Object.fromEntries(texts)
}

function formatSource(source: PolicySource): string {
  return source.kind === 'unpinned' ? 'unpinned' : `${source.language}:${source.hash}`
}

/** Order, gate and class of every code; texts may be reworded without changing a verdict. */
function hashReasonTable(sha256: Sha256): Address {
  const table = REASON_CODES.map((code) => {
    const { producer, gate, transient } = REASONS[code]
    return { code, producer, gate, transient }
  })
  return computeAddress('reasons', table, sha256)
}
