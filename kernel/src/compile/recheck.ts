/**
 * What is asked once more of an accepted intent, just before it is dispatched by an executor of its
 * own: whether rules, keys, time, authority, budget and the state of things still allow it. Arguments
 * and policies were judged on bytes that cannot have changed; what a signature is worth can.
 */
import type { ResourceNeed } from '../execution/capability.ts'
import { signatureStage } from './02-signature.ts'
import { windowStage } from './03-window.ts'
import { scopeStage } from './04-scope.ts'
import { capabilityStage } from './05-capability.ts'
import { budgetStage } from './06-budget.ts'
import { preconditionsStage } from './08-preconditions.ts'
import type { CompileInput, Findings } from './input.ts'
import { rulesRefusal } from './rules-in-force.ts'
import type { Stage } from './stage.ts'
import type { Refusal } from './verdict.ts'

const RECHECKED: readonly Stage[] = [
  signatureStage,
  windowStage,
  scopeStage,
  capabilityStage,
  budgetStage,
  preconditionsStage,
]

export type Rechecked = {
  /** What asks for a person now, and was not approved when it was accepted, sends it back. */
  readonly refusal: Refusal | null
  readonly measures: Findings['measures']
  readonly resources: readonly ResourceNeed[]
}

export function recheck(input: CompileInput): Rechecked {
  const unruled = rulesRefusal(input.facts.value)
  if (unruled !== null) return { refusal: unruled, measures: {}, resources: [] }
  const found: Findings = { cost: {}, measures: {}, resources: [] }
  const lifted = input.facts.value.approval?.lifts ?? []
  for (const stage of RECHECKED) {
    const { refusals, triggers } = stage.run(input, found)
    const asked = (triggers ?? []).filter(({ id }) => !lifted.includes(id))
    const [refusal] = [...(refusals ?? []), ...asked]
    if (refusal === undefined) continue
    const { code, details } = refusal
    return { refusal: { code, details }, measures: {}, resources: [] }
  }
  return { refusal: null, measures: found.measures, resources: found.resources }
}
