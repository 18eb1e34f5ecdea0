/**
 * Rules that a contract may state and that nothing enforces yet. Whoever relies on one must hear so:
 * a promise that nobody keeps is worse than none.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import type { Contract } from './contract.ts'

const ESCALATIONS_PER_HOUR = 3

/** The paths of such rules in this contract. */
export function unenforced(contract: Contract): readonly string[] {
  const { permissions, safety_rules, jit_verification } = contract
  const stated: Readonly<Record<string, unknown>> = {
    instance_of: contract.instance_of,
    'permissions.subscriptions': permissions.subscriptions,
    'permissions.reads': permissions.reads,
    'safety_rules.silence_watchdog': safety_rules.silence_watchdog,
    'safety_rules.pause_on_escalation': safety_rules.pause_on_escalation || undefined,
    'safety_rules.wake_up_threshold_pnl_pct': safety_rules.wake_up_threshold_pnl_pct,
    'safety_rules.escalations_per_hour':
      safety_rules.escalations_per_hour === ESCALATIONS_PER_HOUR
        ? undefined
        : safety_rules.escalations_per_hour,
    'jit_verification.drift_envelope': jit_verification.drift_envelope,
    'jit_verification.on_drift_exceeded': jit_verification.on_drift_exceeded,
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
