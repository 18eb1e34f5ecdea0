/**
 * The way that the rules ask a decision to come, and the proof where one is carried, a second time. That a value has moved
 * since is not asked here: that is for those who look at the outside.
 */
import type { CompileInput, ReasonCode, Topology } from 'rubicon-kernel'
import { canonicaliseJson, hashText } from './canonical.ts'

const STRICTEST_FIRST: readonly Topology[] = ['DL_PCI', 'SDS', 'EOAM']

/** Null: it came as it should, and its proof, where it has one, is good. */
export function checkWay(input: CompileInput): ReasonCode | null {
  const { proposal, facts } = input
  // Without an event there is nothing to halt.
  if (proposal.policy_kind === 'HALT' && facts.value.flow.event === undefined)
    return 'TOPOLOGY_MISMATCH'
  const asked = findAskedWay(input)
  const isSo = asked === null || isOnWay(input, asked) || isPersons(input)
  if (!isSo) return 'TOPOLOGY_MISMATCH'
  return proposal.evidence_hash === undefined ? null : checkProof(input)
}

function findAskedWay({ rules, proposal, contract, facts }: CompileInput): Topology | null {
  const names = [proposal.agent_id, contract?.agent_id, contract?.instance_of]
  const topic = facts.value.flow.event?.topic
  const rows = (rules.topologies ?? []).filter((row) => {
    if (row.agents !== undefined && !row.agents.some((one) => names.includes(one))) return false
    if (row.policy_kinds === undefined && row.topics === undefined) return true
    if (row.policy_kinds?.includes(proposal.policy_kind) === true) return true
    return topic !== undefined && (row.topics ?? []).some((one) => isPrefix(one, topic))
  })
  return STRICTEST_FIRST.find((way) => rows.some(({ topology }) => topology === way)) ?? null
}

function isPrefix(pattern: string, text: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern
}

function isOnWay({ proposal, facts: { value } }: CompileInput, way: Topology): boolean {
  if (way === 'DL_PCI') return proposal.evidence_hash !== undefined
  if (way === 'EOAM') return value.flow.event !== undefined
  return proposal.atom_id !== undefined && value.auth.kind !== 'approval'
}

/** What a person let pass or wrote; what an agent above wrote is an agent's. */
function isPersons({ proposal, facts: { value } }: CompileInput): boolean {
  const { auth } = value
  if (auth.kind !== 'approval') return false
  return proposal.supersedes === undefined || !auth.approver.startsWith('agent:')
}

function checkProof({ facts, proposal, contract, rules }: CompileInput): ReasonCode | null {
  const { auth, flow, claim, rules_hash } = facts.value
  if (auth.kind !== 'signature') return 'REJECT_AUTH'
  const { valid, purpose, subject } = auth.signature
  if (!valid || purpose !== 'agent' || subject !== flow.agent_id) return 'REJECT_AUTH'
  if (proposal.dfid !== flow.dfid) return 'REJECT_CONTEXT'
  // A step that was claimed was proven then.
  if (claim !== null) return null
  if (proposal.context_ref !== flow.snapshot_id) return 'REJECT_CONTEXT'
  if (contract === null) return 'REJECT_HASH'
  const computeHash = (text: string): string => hashText(text, rules.sha256)
  const parts = [flow.dfid, computeHash(flow.snapshot_id), computeHash(canonicaliseJson(contract))]
  const bound = computeHash([...parts, rules_hash.split(':')[1]].join(''))
  return proposal.evidence_hash === bound ? null : 'REJECT_HASH'
}
