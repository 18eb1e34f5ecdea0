/**
 * Before the stages: a step that is already claimed answers with its first outcome.
 *
 * Identity comes first, so that one agent never learns another's outcome by naming its step. A
 * signature, or the key of a session, is weighed in stage 2, which a claimed step never reaches: here
 * it must hold already.
 */
import { computeParamsFingerprint } from '../execution/idempotency.ts'
import { isSettled } from '../execution/outcome-machine.ts'
import { isKeyOfAgent } from '../keys/key.ts'
import { LIMITS } from '../limits.ts'
import type { AuthFact } from './facts.ts'
import type { CompileInput } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const repeatStage: Stage = {
  name: 'repeat',
  reads: ['auth', 'claim', 'flow', 'approval', 'attempt'],
  run({ facts: { value: facts }, proposal, rules }: CompileInput): StageResult {
    const { flow, auth, claim } = facts
    if (proposal.dfid !== flow.dfid) return refuse('IDENTITY_MISMATCH', { member: 'dfid' })
    const speaker = auth.kind === 'session' ? auth.agent_id : flow.agent_id
    if (proposal.agent_id !== flow.agent_id || speaker !== flow.agent_id)
      return refuse('IDENTITY_MISMATCH', { member: 'agent_id' })

    if (claim !== null) {
      if (!isProven(auth, flow.agent_id))
        return refuse('IDENTITY_MISMATCH', { member: 'signature' })
      const fingerprint = computeParamsFingerprint(
        proposal.policy_kind,
        proposal.params,
        rules.sha256,
      )
      if (claim.params_fingerprint !== fingerprint)
        return refuse('STEP_PARAMS_MISMATCH', { step_id: proposal.step_id })
      if (isSettled(claim.status)) return { said: 'repeat' }
      return refuse('STEP_IN_FLIGHT', { step_id: proposal.step_id, status: claim.status })
    }
    // What was approved is released from where it waited.
    const isOpen = facts.approval == null ? flow.state === 'ACTIVE' : flow.state === 'ESCALATED'
    if (!isOpen) return refuse('FLOW_NOT_OPEN', { state: flow.state })
    const most = LIMITS.proposalsPerFlow
    // What was approved had its turn before it waited.
    if (facts.approval == null && facts.attempt > most) return refuse('FLOW_FULL', { most })
    if (proposal.supersedes !== undefined && auth.kind !== 'approval')
      return refuse('IDENTITY_MISMATCH', { member: 'supersedes' })
    return PASS
  },
}

function isProven(auth: AuthFact, agentId: string): boolean {
  if (auth.kind === 'approval') return true
  if (auth.kind === 'session') return auth.key === null || isKeyOfAgent(auth.key, agentId)
  return auth.signature.valid && isKeyOfAgent(auth.signature, agentId)
}
