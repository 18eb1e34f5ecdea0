/**
 * What may be done in a branch. A branch is a try: a World of its own, and nothing that is tried there may
 * reach anybody outside, nor decide anything for flows outside. So only what changes that World alone, or
 * reads, is done in one, and what is taken back is held to the same.
 */
import { MAIN } from '../ledger/entry.ts'
import { isForAllTrajectories, isReserved } from '../proposal/reserved-kind.ts'
import type { CapabilityDescription } from './capability.ts'

type Described = Pick<CapabilityDescription, 'kind' | 'effect' | 'world_only' | 'branches'>

/** Whether what it does in a branch is gone with the branch. Of a recorded description only the hash was checked. */
export function isKeptInBranch({ kind, effect, world_only, branches }: Described): boolean {
  if (isReserved(kind)) return !isForAllTrajectories(kind)
  return effect === 'read' || world_only === true || branches === 'world'
}

export function isAllowedIn(trajectory: string, description: Described): boolean {
  return trajectory === MAIN || isKeptInBranch(description)
}

/** Whether a flow may choose what is done about a flow elsewhere: from a branch nothing is chosen for outside of it. */
export function mayChooseFor(chooser: string, trajectory: string): boolean {
  return chooser === MAIN || chooser === trajectory
}
