/**
 * What is wrong with an agent as it is registered. It is listed with what is wrong, never hidden: an
 * agent that cannot work looks like one that has nothing to do.
 */
import {
  type Authority,
  type Contract,
  findShownContract,
  findUnenforcedRules,
  isKeyInUse,
  isReserved,
} from 'rubicon-kernel'
import { findUnansweredInForce, formatUnansweredRule } from './unanswered-rules.ts'

export type AgentProblem = { readonly summary: string; readonly fix: string }

/** As of `now`, by what authority says, the rules in force among it. */
export function findAgentProblems(
  authority: Authority,
  agent: string,
  now: string,
): readonly AgentProblem[] {
  if (authority.statuses.get(agent) === 'RETIRED') return []
  const contract = findShownContract(authority, agent, now)?.contract
  if (contract === undefined)
    return [buildProblem('no contract is in force', `rubicon contract deploy FILE`)]
  return [
    ...findTimeProblems(contract, now),
    ...findUnservedKinds(authority, contract),
    ...findUnansweredProblems(authority, contract),
    ...findParentProblems(authority, contract),
    ...findKeyProblems(authority, contract),
    ...findUnenforcedRules(contract).map((rule) =>
      buildProblem(
        `\`${rule}\` is recorded, but nothing enforces it yet`,
        'do not rely on it, or leave it out',
      ),
    ),
  ]
}

function buildProblem(summary: string, fix: string): AgentProblem {
  return { summary, fix }
}

/** Times have one form, so that their texts are in their order. */
function findTimeProblems(
  { effective_from, effective_until }: Contract,
  now: string,
): readonly AgentProblem[] {
  if (now < effective_from)
    return [
      buildProblem(
        `the contract holds from ${effective_from} on`,
        'wait, or deploy another version',
      ),
    ]
  if (effective_until !== undefined && now >= effective_until)
    return [buildProblem(`the contract ended at ${effective_until}`, 'deploy another version')]
  return []
}

/** Rules that nobody has recorded yet say nothing about what is missing. */
function findUnservedKinds(
  { rules }: Authority,
  { permissions }: Contract,
): readonly AgentProblem[] {
  if (rules === null) return []
  const kinds = new Set(rules.capabilities.map(({ kind }) => kind))
  return permissions.policy_kinds
    .filter((kind) => !kinds.has(kind) && !isReserved(kind))
    .map((kind) =>
      buildProblem(`no capability carries out \`${kind}\``, 'register it with the runtime'),
    )
}

/** Of kinds that nobody carries out, that is problem enough. */
function findUnansweredProblems(authority: Authority, contract: Contract): readonly AgentProblem[] {
  return findUnansweredInForce(authority, contract)
    .filter(({ rule }) => rule !== null)
    .map((one) =>
      buildProblem(
        formatUnansweredRule(one),
        'have the capability answer it, or say in `applies_to` which kinds the rule is about',
      ),
    )
}

function findParentProblems(
  authority: Authority,
  { parent_agent }: Contract,
): readonly AgentProblem[] {
  if (parent_agent === undefined) return []
  if (authority.statuses.get(parent_agent) === 'ACTIVE') return []
  const said = authority.statuses.get(parent_agent) ?? 'not registered'
  return [
    buildProblem(`its parent \`${parent_agent}\` is ${said}`, 'what it asks goes to a person'),
  ]
}

/** In process an agent needs none. */
function findKeyProblems(
  { keys }: Authority,
  { agent_id, safety_rules }: Contract,
): readonly AgentProblem[] {
  const own = [...keys.values()].filter(
    ({ purpose, subject }) => purpose === 'agent' && subject === agent_id,
  )
  const isNeeded = safety_rules.requires_signature || own.length > 0
  if (!isNeeded || own.some(isKeyInUse)) return []
  return [
    buildProblem(
      'no key of it is in use',
      `rubicon keys register --purpose agent --subject ${agent_id} --out FILE`,
    ),
  ]
}
