/**
 * Stage 9: policies, and everything else that asks for a person.
 *
 * Policies can only say less than contract and writ allow. A denial or an error outranks every
 * request for approval. Confidence never grants anything; too little of it sends a proposal back
 * or to a person.
 */
import { assert } from '../assert.ts'
import { compareDecimal, parseDecimal } from '../canonical/decimal.ts'
import type { Contract } from '../contract/contract.ts'
import { deriveEscalationChannel } from '../escalation/first-channel.ts'
import { evaluatePolicies } from '../policy/evaluate.ts'
import type { CompileInput, Findings } from './input.ts'
import { createFactView } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { refuseAll } from './stage.ts'
import type { Refusal, Trigger } from './verdict.ts'

export const policyStage: Stage = {
  name: 'policy',
  reads: ['contract', 'writs', 'state', 'world'],
  run(input: CompileInput, found: Findings): StageResult {
    const { contract, proposal, writs, rules } = input
    const writ = writs[0]
    const { law } = found
    assert(law !== undefined && contract !== null && writ !== undefined, 'authority is known')

    const policies = evaluatePolicies(rules.policies, {
      proposal,
      contract,
      writ: writ.body,
      capability: law.description,
      measures: found.measures,
      facts: createFactView(input.facts.value, { law, contract }),
    })
    const unsure = judgeConfidence(contract, proposal.confidence)
    const refusals: Refusal[] = [...policies.refusals]
    if (unsure === 'LOW_CONFIDENCE')
      refusals.push({ code: 'LOW_CONFIDENCE', details: { confidence: proposal.confidence } })
    if (refusals.length > 0) return { ...refuseAll(refusals), policies: policies.lines }

    const triggers: Trigger[] = [
      ...findContractTriggers(contract, proposal.policy_kind, unsure),
      ...policies.triggers,
    ]
    if (triggers.length === 0) return { said: 'pass', policies: policies.lines }
    return { said: 'suspend', policies: policies.lines, triggers }
  },
}

function findContractTriggers(
  contract: Contract,
  kind: string,
  unsure: 'UNCERTAINTY' | 'LOW_CONFIDENCE' | null,
): readonly Trigger[] {
  const channel = deriveEscalationChannel(contract)
  const triggers: Trigger[] = []
  if (contract.authority === 'PROPOSE')
    triggers.push({ id: 'authority', code: 'AUTHORITY_PROPOSE_ONLY', channel, details: {} })
  if (contract.safety_rules.requires_human_approval.includes(kind))
    triggers.push({
      id: 'kind',
      code: 'HUMAN_APPROVAL_REQUIRED',
      channel: 'operator',
      details: { kind },
    })
  if (unsure === 'UNCERTAINTY')
    triggers.push({ id: 'confidence', code: 'UNCERTAINTY', channel, details: {} })
  return triggers
}

/** Below the lower threshold: a person. Between the two: back for revision. */
function judgeConfidence(
  contract: Contract,
  stated: string,
): 'UNCERTAINTY' | 'LOW_CONFIDENCE' | null {
  const { escalate_on_uncertainty: escalate, min_confidence_threshold: minimum } =
    contract.safety_rules
  if (isBelowThreshold(stated, escalate)) return 'UNCERTAINTY'
  if (isBelowThreshold(stated, minimum)) return 'LOW_CONFIDENCE'
  return null
}

/** An unreadable number is below every threshold. */
function isBelowThreshold(stated: string, threshold: string | undefined): boolean {
  if (threshold === undefined) return false
  const value = parseDecimal(stated)
  const bound = parseDecimal(threshold)
  return value === undefined || bound === undefined || compareDecimal(value, bound) < 0
}
