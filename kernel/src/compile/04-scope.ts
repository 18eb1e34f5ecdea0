/**
 * Stage 4: the agent may do this kind of thing, now. Contract ∩ writ ∩ lifecycle ∩ revocations.
 *
 * The widening check runs here again although it ran at issue: a writ signed elsewhere, by a key
 * that was stolen, must not carry more than its parent.
 */
import { assert } from '../assert.ts'
import type { Contract } from '../contract/contract.ts'
import type { AgentStatus } from '../contract/lifecycle.ts'
import { LIMITS } from '../limits.ts'
import { isAllowedInMaintenance, isListingNeeded } from '../proposal/reserved-kind.ts'
import type { ReasonCode } from '../reason.ts'
import { findWidening } from '../writ/attenuation.ts'
import { hasScopeFor } from '../writ/scope.ts'
import type { AuthorityInput, CompileInput } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

const STOPPED: Readonly<Record<Exclude<AgentStatus, 'ACTIVE'>, ReasonCode>> = {
  INITIALIZING: 'AGENT_NOT_ACTIVE',
  SUSPENDED: 'AGENT_SUSPENDED',
  RETIRED: 'AGENT_RETIRED',
}

export const scopeStage: Stage = {
  name: 'scope',
  reads: ['agent', 'contract', 'flow', 'writs', 'tenant', 'audience'],
  run(input: CompileInput): StageResult {
    return checkScope(input)
  },
  runCovered(input: CompileInput): StageResult {
    return checkScope(input, true)
  },
}

/** `isSettled`: what contract and chain grant was found before. Who asks, and whether it all still stands, is asked again. */
export function checkScope(input: AuthorityInput, isSettled = false): StageResult {
  const checkLinks = (one: AuthorityInput): StageResult => checkChain(one, isSettled)
  const standing = [checkAgent, checkRevocations, checkLinks]
  for (const check of isSettled ? standing : [...standing, checkKind]) {
    const result = check(input)
    if (result.said !== 'pass') return result
  }
  return PASS
}

/** A contract of somebody else is no contract of this agent. */
function checkAgent({ facts: { value: facts }, contract, proposal }: AuthorityInput): StageResult {
  const { status, maintenance } = facts.agent
  if (contract?.agent_id !== proposal.agent_id || status === null) return refuse('AGENT_UNKNOWN')
  if (status !== 'ACTIVE') return refuse(STOPPED[status], { status })
  if (maintenance && !isAllowedInMaintenance(proposal.policy_kind))
    return refuse('AGENT_MAINTENANCE')
  return PASS
}

function checkRevocations({ facts: { value: facts } }: AuthorityInput): StageResult {
  if (facts.contract === null || facts.contract.revoked) return refuse('CONTRACT_REVOKED')
  // A proposal that names another writ does not bring its flow back to life.
  if (facts.flow.revoked_writ !== null)
    return refuse('WRIT_REVOKED', { writ: facts.flow.revoked_writ })
  const revoked = facts.writs.find((writ) => writ.revoked)
  return revoked === undefined ? PASS : refuse('WRIT_REVOKED', { writ: revoked.id })
}

function checkChain(
  { facts: { value: facts }, writs, proposal }: AuthorityInput,
  isSettled: boolean,
): StageResult {
  if (writs.length > LIMITS.delegationDepth)
    return refuse('DELEGATION_DEPTH', { links: writs.length })
  for (const [index, { id, body }] of writs.entries()) {
    if (body.tenant !== facts.tenant) return refuse('TENANT_MISMATCH', { writ: id })
    if (body.audience !== facts.audience) return refuse('WRIT_AUDIENCE', { writ: id })
    if (index === 0 && body.subject !== proposal.agent_id)
      return refuse('WRIT_SUBJECT', { writ: id })
    const parent = writs[index + 1]
    if (parent === undefined || isSettled) continue
    const wider = findWidening(body, parent)
    if (wider.includes('delegation')) return refuse('DELEGATION_DEPTH', { writ: id })
    if (wider.length > 0) return refuse('DELEGATION_WIDENS', { writ: id, dimensions: [...wider] })
  }
  return PASS
}

function checkKind({
  contract,
  writs,
  proposal: { policy_kind: kind },
}: AuthorityInput): StageResult {
  assert(contract !== null, 'the agent has a contract')
  if (contract.authority === 'OBSERVE') return refuse('AUTHORITY_OBSERVE_ONLY')
  const result = checkContractKind(contract, kind)
  if (result.said !== 'pass') return result
  const covered = writs.every((writ) => hasScopeFor(writ.body.scopes, kind))
  return covered || !isListingNeeded(kind) ? PASS : refuse('WRIT_SCOPE', { policy_kind: kind })
}

function checkContractKind({ permissions }: Contract, kind: string): StageResult {
  if (permissions.forbidden_kinds.includes(kind))
    return refuse('KIND_FORBIDDEN', { policy_kind: kind })
  if (!isListingNeeded(kind) || permissions.policy_kinds.includes(kind)) return PASS
  return refuse('RBAC_DENIED', { policy_kind: kind })
}
