/** Is what is done in a branch gone with the branch? What leaves World is done in `main` alone, and taken back there. */
import { type CapabilityDescription, isAllowedIn, type SignedIntent } from 'rubicon-kernel'

/** `trajectory`: in which its entry stands; an intent that names another one does not get away with that. */
export function findBranchProblems(
  trajectory: string,
  intent: Pick<SignedIntent, 'trajectory'>,
  description: CapabilityDescription | undefined,
): readonly string[] {
  // That there is none is found where the rules are looked at.
  if (description === undefined) return []
  const isAllowed = [trajectory, intent.trajectory].every((one) => isAllowedIn(one, description))
  return isAllowed ? [] : ['its effect leaves World, and it stands in a branch']
}
