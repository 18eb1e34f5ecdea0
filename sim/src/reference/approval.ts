/** What an approval is bound to, once more: all that will run, or what a person wrote instead. */
import type { CapabilityLaw, CompileInput } from 'rubicon-kernel'
import { deriveAddress } from './canonical.ts'
import { createFactView } from './late-stages.ts'
import { listHeldNeeds } from './resources.ts'

/** True as well where nobody had to approve it. */
export function isAsApproved(input: CompileInput, law: CapabilityLaw): boolean {
  const { facts, proposal, document, rules } = input
  const { approval, contract, flow } = facts.value
  if (!approval) return true
  if (approval.rules_hash !== rules.hash || approval.decisions === 0) return false
  const proposal_hash = deriveAddress('proposal', document.value, rules.sha256)
  if (approval.decision === 'MODIFY') return approval.binds === proposal_hash
  const { dfid, step_id, policy_kind, params } = proposal
  const bound = {
    dfid,
    step_id,
    policy_kind,
    params,
    resources: listHeldNeeds(law.resources(params, createFactView(input))),
    constraints: proposal.execution_constraints,
    proposal_hash,
    contract_hash: contract?.hash,
    capability_hash: law.hash,
    rules_hash: rules.hash,
    snapshot_id: flow.snapshot_id,
    ...(proposal.evidence_hash === undefined ? {} : { on_failure: deriveOnFailure(input, law) }),
  }
  return approval.binds === deriveAddress('intent-digest', bound, rules.sha256)
}

/** Taken back where the capability can and the contract says so; else somebody is told. */
function deriveOnFailure({ contract }: CompileInput, { description }: CapabilityLaw): string {
  const { world_only, compensations = [] } = description
  const canRevert = world_only || compensations.includes('REVERT')
  return canRevert && contract?.compensation.includes('REVERT') ? 'REVERT_STATE' : 'ALERT_HUMAN'
}
