/**
 * Stage 1: the rules that would judge it are in force, and the proposal speaks a version that we
 * speak, and a kind that can be carried out.
 */
import { isReserved } from '../proposal/reserved-kind.ts'
import { isVersionAccepted } from '../proposal/schema-version.ts'
import type { CompileInput } from './input.ts'
import { findRulesRefusal } from './rules-in-force.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const kindStage: Stage = {
  name: 'kind',
  reads: ['rules_hash', 'capability', 'in_force'],
  run({ facts, proposal, rules }: CompileInput): StageResult {
    const unruled = findRulesRefusal(facts.value)
    if (unruled !== null) return refuse(unruled.code, unruled.details)
    const { schema_version: version, policy_kind: kind } = proposal
    if (version !== undefined && !isVersionAccepted(version))
      return refuse('SCHEMA_VERSION_UNSUPPORTED', { schema_version: version })
    // Rules without hands for a reserved kind must not leave it to somebody else's.
    if (isReserved(kind) && rules.capability(kind) === undefined)
      return refuse('KIND_UNSUPPORTED', { policy_kind: kind })
    return PASS
  },
}
