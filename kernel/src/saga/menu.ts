/**
 * The menu of compensations. What an agent may choose stands in its contract, what can be done
 * stands with the capability; the choice must be on both. Whoever caused the mess does not get to
 * think up its repair.
 */
import type { CapabilityDescription } from '../execution/capability.ts'

export const REVERT = 'REVERT'
/** Needs no listing: a person may always be asked. */
export const ALERT_HUMAN = 'ALERT_HUMAN'

type Described = Pick<CapabilityDescription, 'world_only' | 'compensations'>

/** What changes World only can be taken back by the inverse that its commit recorded. */
export function buildCapabilityMenu({
  world_only,
  compensations = [],
}: Described): readonly string[] {
  if (!world_only || compensations.includes(REVERT)) return compensations
  return [...compensations, REVERT].sort()
}
