/** Stage 5: something is registered that can carry it out, every writ allows such an effect, and so does its place. */
import { findMissingCeiling } from '../writ/effect-ceiling.ts'
import { findBranchRefusal } from './branch-refusal.ts'
import type { AuthorityInput, CompileInput, Findings } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const capabilityStage: Stage = {
  name: 'capability',
  reads: ['capability', 'flow', 'writs'],
  run: (input: CompileInput, found: Findings): StageResult => checkCapability(input, found),
  runCovered: (input: CompileInput, found: Findings): StageResult =>
    checkCapability(input, found, true),
}

/** `isSettled`: that every writ allows such an effect was found before, for the capability of that hash. Where it is done, is asked always. */
export function checkCapability(
  { facts: { value: facts }, proposal, writs, rules }: AuthorityInput,
  found: Pick<Findings, 'law'>,
  isSettled = false,
): StageResult {
  const law = rules.capability(proposal.policy_kind)
  if (law === undefined || facts.capability === null || facts.capability.hash !== law.hash)
    return refuse('CAPABILITY_UNKNOWN', { policy_kind: proposal.policy_kind })
  for (const writ of isSettled ? [] : writs) {
    const missing = findMissingCeiling(writ.body.effect_ceiling, law.description)
    if (missing !== null) return refuse('EFFECT_CEILING', { writ: writ.id, missing })
  }
  const branched = findBranchRefusal(facts.flow.trajectory, law.description)
  if (branched !== null) return refuse(branched.code, branched.details)
  found.law = law
  return PASS
}
