/** The law in force: registered capabilities, ordered policies, and one hash over all of it. */
import {
  buildRuleSet,
  type CapabilityLaw,
  err,
  type Failure,
  hashRules,
  type JsonObject,
  ok,
  type Policy,
  parseTopics,
  parseTopologies,
  type Result,
  type RuleSet,
  type Rules,
  type Sha256,
  type TopicRow,
  type TopologyRow,
} from 'rubicon-kernel'
import { pinCapability, registerCapability } from './capabilities/register.ts'
import { RESERVED, RESERVED_VERSION } from './capabilities/reserved.ts'
import { REGEX_ENGINE, SCHEMA_ENGINE } from './capabilities/schema.ts'
import { findPoliciesProblem } from './policies/policies-problem.ts'
import { matchesRegex } from './policies/regex.ts'
import type { Capability, RegisteredCapability } from './ports/capability.ts'

export const CEDAR_ENGINE = 'cedar-wasm/4.13.0'

export type Book = {
  readonly rules: Rules
  readonly ruleSet: RuleSet
  readonly hash: Rules['hash']
  capability(kind: string): RegisteredCapability | undefined
  capabilities(): readonly RegisteredCapability[]
}

export function buildRuleBook(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
  sha256: Sha256,
  topologies: readonly TopologyRow[] = [],
  topics: readonly TopicRow[] = [],
): Result<Book, Failure> {
  const rows = parseTopologies(topologies as readonly JsonObject[])
  if (!rows.ok) return rows
  const about = parseTopics(topics as readonly JsonObject[])
  if (!about.ok) return about
  const problem = findPoliciesProblem(policies)
  if (problem !== null) return err(problem)
  const registered = new Map<string, RegisteredCapability>()
  for (const capability of capabilities) {
    if (registered.has(capability.kind))
      return err({
        code: 'CAPABILITY_INVALID',
        summary: `\`${capability.kind}\` is registered twice`,
        fix: 'give each capability its own kind',
      })
    const done = registerCapability(capability, sha256)
    if (!done.ok) return done
    registered.set(capability.kind, done.value)
  }
  for (const capability of RESERVED) {
    const done = pinCapability(capability, sha256)
    if (!done.ok) return done
    registered.set(capability.kind, done.value)
  }
  const set = buildRuleSet(
    policies,
    {
      cedar: CEDAR_ENGINE,
      regex: REGEX_ENGINE,
      reserved: RESERVED_VERSION,
      schema: SCHEMA_ENGINE,
    },
    sha256,
    topologies,
    topics,
  )
  const hash = hashRules(set, sha256)
  const rules: Rules = {
    hash,
    policies,
    ...(topologies.length === 0 ? {} : { topologies }),
    ...(topics.length === 0 ? {} : { topics }),
    capability: (kind): CapabilityLaw | undefined => registered.get(kind)?.law,
    regex: matchesRegex,
    sha256,
  }
  return ok({
    rules,
    ruleSet: set,
    hash,
    capability: (kind) => registered.get(kind),
    capabilities: () => [...registered.values()],
  })
}
