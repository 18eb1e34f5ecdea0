/**
 * Before everything else, where a proposal carries a proof or the rules ask for one: who signed it, what it was made on, whether that still
 * stands, and whether the proof binds what it says. The order is published, and the first that fails names the refusal.
 *
 * A step that is claimed was proven when it was claimed. A repetition is answered with what came of it, whatever has
 * moved or been shown since; who asks must still be who signed.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import { isAgentChannel } from '../escalation/request.ts'
import { isKeyOfAgent } from '../keys/key.ts'
import {
  computeEvidenceHash,
  hashEvidenceContract,
  toEvidenceRules,
} from '../proposal/evidence-hash.ts'
import { listAgentNames, selectTopology, type Topology } from '../topology/topology.ts'
import { findDrift } from './dispatch-checks.ts'
import type { CompileInput } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const proofStage: Stage = {
  name: 'proof',
  reads: ['auth', 'flow', 'claim', 'contract', 'state', 'seen', 'rules_hash'],
  run(input: CompileInput): StageResult {
    const wanted = findMissedTopology(input)
    if (wanted !== null)
      return refuse('TOPOLOGY_MISMATCH', { policy_kind: input.proposal.policy_kind, wanted })
    const checks = [checkSigner, checkFlow]
    const later = [checkSnapshot, checkStillSo, checkEvidence]
    for (const check of input.facts.value.claim === null ? [...checks, ...later] : checks) {
      const result = check(input)
      if (result.said !== 'pass') return result
    }
    return PASS
  },
}

/** Where one is carried, and where the rules ask for another way than the decision came. */
export function isProofLookedAt(input: CompileInput): boolean {
  return input.proposal.evidence_hash !== undefined || findMissedTopology(input) !== null
}

/** The way that the decision should have come; null: it did. What a person wrote carries that person's word. */
function findMissedTopology(input: CompileInput): Topology | null {
  const wanted = findWantedTopology(input)
  const isSo = wanted === null || isServedBy(wanted, input) || isPersonsWord(input)
  return isSo ? null : wanted
}

function isServedBy(wanted: Topology, { facts, proposal }: CompileInput): boolean {
  if (wanted === 'DL_PCI') return proposal.evidence_hash !== undefined
  return wanted === 'EOAM' && facts.value.flow.event !== undefined
}

/** An agent above is no person in what it wrote itself. Whether it could do what it lets pass is asked without a proof. */
function isPersonsWord({ facts: { value: facts }, proposal }: CompileInput): boolean {
  const { auth } = facts
  if (auth.kind !== 'approval') return false
  return proposal.supersedes === undefined || !isAgentChannel(auth.approver)
}

function findWantedTopology({ contract, facts, proposal, rules }: CompileInput): Topology | null {
  if (rules.topologies === undefined) return null
  const { agent_id, policy_kind } = proposal
  const agents = [agent_id, ...(contract === null ? [] : listAgentNames(contract))]
  const topic = facts.value.flow.event?.topic ?? null
  return selectTopology(rules.topologies, { agents, policy_kind, topic })
}

function checkSigner({ facts: { value: facts } }: CompileInput): StageResult {
  const { auth, flow } = facts
  if (auth.kind !== 'signature') return refuse('REJECT_AUTH', { member: 'roa_signature' })
  const { signature } = auth
  const isOwn = signature.valid && isKeyOfAgent(signature, flow.agent_id)
  return isOwn ? PASS : refuse('REJECT_AUTH', { key_id: signature.key_id })
}

function checkFlow({ facts: { value: facts }, proposal }: CompileInput): StageResult {
  return proposal.dfid === facts.flow.dfid ? PASS : refuse('REJECT_CONTEXT', { member: 'dfid' })
}

function checkSnapshot({ facts: { value: facts }, proposal }: CompileInput): StageResult {
  const { snapshot_id: wanted } = facts.flow
  return proposal.context_ref === wanted ? PASS : refuse('REJECT_CONTEXT', { wanted })
}

/** What cannot be looked at is refused by the stages and before sending: here only what has moved. */
function checkStillSo({ facts, proposal, contract, rules }: CompileInput): StageResult {
  const law = rules.capability(proposal.policy_kind)
  if (law === undefined || contract === null) return PASS
  const { refusal } = findDrift({ facts: facts.value, proposal, contract, law, measures: {} })
  return refusal?.code === 'STATE_DRIFT_DETECTED' ? refuse('REJECT_DRIFT', refusal.details) : PASS
}

function checkEvidence({ facts: { value: facts }, ...input }: CompileInput): StageResult {
  const { contract, proposal, rules } = input
  const { evidence_hash: said } = proposal
  // Without its contract nothing can be bound to it.
  if (contract === null) return refuse('REJECT_HASH', { missing: 'contract' })
  const bound = computeEvidenceHash(
    {
      dfid: facts.flow.dfid,
      context_ref: facts.flow.snapshot_id,
      h_c: hashEvidenceContract(contract as JsonValue, rules.sha256),
      h_r: toEvidenceRules(facts.rules_hash),
    },
    rules.sha256,
  )
  return said === bound ? PASS : refuse('REJECT_HASH', { wanted: bound })
}
