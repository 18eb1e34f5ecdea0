import type { Contract } from '../contract/contract.ts'

/** Escalation goes to the parent agent first, then to a person. */
export function deriveEscalationChannel(contract: Contract): string {
  return contract.parent_agent === undefined ? 'operator' : `agent:${contract.parent_agent}`
}
