/**
 * The rules in force are the recorded ones. A process that decides by others, stricter or looser,
 * decides nothing: its verdict would be that of a law which nobody signed, or which was replaced.
 */
import type { Facts } from './facts.ts'
import type { Refusal } from './verdict.ts'

/** Null: what the process decides by, and the capability it would use, are recorded and count now. */
export function findRulesRefusal({
  rules_hash,
  capability,
  in_force,
}: Pick<Facts, 'rules_hash' | 'capability' | 'in_force'>): Refusal | null {
  if (!in_force.rules.includes(rules_hash))
    return buildRulesRefusal({ held: rules_hash, in_force: in_force.rules })
  if (capability !== null && !in_force.capability.includes(capability.hash))
    return buildRulesRefusal({
      capability: capability.kind,
      held: capability.hash,
      in_force: in_force.capability,
    })
  return null
}

function buildRulesRefusal(details: Refusal['details']): Refusal {
  return { code: 'RULES_NOT_IN_FORCE', details }
}
