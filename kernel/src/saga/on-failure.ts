/**
 * What follows where the effect of a proven intent fails. It is fixed when the intent is accepted, from what the capability
 * can do and what the contract allows, and carried out without the agent: whoever proved a decision is not asked to
 * think again about what became of it.
 */
import type { Contract } from '../contract/contract.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import type { OnFailure } from '../execution/intent.ts'
import { buildCapabilityMenu, REVERT } from './menu.ts'

/** Taken back where both the capability and the contract have it on their menu; else a person is told. */
export function chooseOnFailure(
  description: Pick<CapabilityDescription, 'world_only' | 'compensations'>,
  contract: Pick<Contract, 'compensation'>,
): OnFailure {
  const isOffered = buildCapabilityMenu(description).includes(REVERT)
  return isOffered && contract.compensation.includes(REVERT) ? 'REVERT_STATE' : 'ALERT_HUMAN'
}
