/**
 * Rules that a contract may state and that nothing enforces yet. Whoever relies on one must hear so:
 * a promise that nobody keeps is worse than none.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import type { Contract } from './contract.ts'

const ESCALATIONS_PER_HOUR = 3

/** The paths of such rules in this contract. */
export function unenforced(contract: Contract): readonly string[] {
  const { safety_rules } = contract
  // The rest of it is what happens: ABORT, with a fresh context unless it says none.
  const { on_drift_exceeded = {} } = contract.jit_verification
  const stated: Readonly<Record<string, unknown>> = {
    'safety_rules.pause_on_escalation': safety_rules.pause_on_escalation || undefined,
    'safety_rules.escalations_per_hour':
      safety_rules.escalations_per_hour === ESCALATIONS_PER_HOUR
        ? undefined
        : safety_rules.escalations_per_hour,
    'jit_verification.on_drift_exceeded.notify': on_drift_exceeded.notify,
    aggregate_thresholds: contract.aggregate_thresholds,
    host: contract.host,
    compensation: contract.compensation,
  }
  return Object.keys(stated).filter((path) => says(stated[path] as JsonValue | undefined))
}

/** Empty lists and maps say nothing. */
function says(value: JsonValue | undefined): boolean {
  if (value === undefined) return false
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0
}
