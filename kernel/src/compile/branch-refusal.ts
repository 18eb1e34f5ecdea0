/** Why something is not done in a branch. Nobody lifts it: an approval says that an effect is wanted, not where it happens. */

import { isAllowedIn, mayChooseFor } from '../execution/branch-effect.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import type { Refusal } from './verdict.ts'

export function findBranchRefusal(
  trajectory: string,
  description: CapabilityDescription,
): Refusal | null {
  return isAllowedIn(trajectory, description) ? null : refuseInBranch(trajectory, description)
}

/** Of what takes back an effect of `description` in `trajectory`, as it was chosen in `chooser`. */
export function findUndoRefusal(
  chooser: string,
  trajectory: string,
  description: CapabilityDescription,
): Refusal | null {
  if (!mayChooseFor(chooser, trajectory)) return refuseInBranch(chooser, description)
  return findBranchRefusal(trajectory, description)
}

function refuseInBranch(trajectory: string, { kind }: CapabilityDescription): Refusal {
  return { code: 'BRANCH_EFFECT', details: { trajectory, policy_kind: kind } }
}
