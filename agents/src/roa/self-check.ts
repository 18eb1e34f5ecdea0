/**
 * What an agent checks of its own proposal before it is sent. It saves a round trip and a retry; it protects nothing:
 * the runtime judges every proposal the same whether it was checked or not.
 */
import { compareDecimal, parseDecimal } from 'rubicon-kernel/canonical'
import type { WorkingContext } from 'rubicon-kernel/context'
import { isListingNeeded } from 'rubicon-kernel/proposal'
import type { AgentProposal } from '../agent/agent-flow.ts'

/** The proposal would be refused: the agent thinks again, and nothing was sent. */
export class ContractViolation extends Error {
  /** The code that the runtime would refuse it with. */
  readonly code: string
  /** What would help. */
  readonly fix: string

  constructor(code: string, message: string, fix = 'propose something else') {
    super(message)
    this.name = 'ContractViolation'
    this.code = code
    this.fix = fix
  }
}

/** It is not the agent's to decide: a person is asked, and the proposal is not sent. */
export class EscalationRequired extends Error {
  /** Why, for the person who is asked. */
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.name = 'EscalationRequired'
    this.reason = reason
  }
}

/** What the context alone tells: whether the kind is one of the agent's, and whether it is sure enough. */
export function checkProposal(
  { policy_kind, confidence = 1 }: AgentProposal,
  { constraints: { permissions, safety_rules }, policy_schema: { policy_kinds } }: WorkingContext,
): void {
  if (permissions.forbidden_kinds.includes(policy_kind))
    throw new ContractViolation('KIND_FORBIDDEN', `\`${policy_kind}\` is forbidden`)
  if (isListingNeeded(policy_kind) && !policy_kinds.includes(policy_kind))
    throw new ContractViolation(
      'RBAC_DENIED',
      `\`${policy_kind}\` is none of ${policy_kinds.join(', ')}`,
    )
  const { escalate_on_uncertainty, min_confidence_threshold } = safety_rules
  if (isBelow(confidence, escalate_on_uncertainty))
    throw new EscalationRequired(
      `confidence ${String(confidence)} is below ${escalate_on_uncertainty}, under which a person decides`,
    )
  if (isBelow(confidence, min_confidence_threshold))
    throw new ContractViolation(
      'LOW_CONFIDENCE',
      `confidence ${String(confidence)} is below ${min_confidence_threshold}`,
      'look again, or propose what is surer',
    )
}

function isBelow(confidence: unknown, threshold: string | undefined): boolean {
  if (threshold === undefined) return false
  const [said, least] = [parseDecimal(String(confidence)), parseDecimal(threshold)]
  // What cannot be read is for the runtime to name.
  return said !== undefined && least !== undefined && compareDecimal(said, least) < 0
}
