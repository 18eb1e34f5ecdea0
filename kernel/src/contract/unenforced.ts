/**
 * Rules that a contract may state and that nothing enforces yet. Whoever relies on one must hear so:
 * a promise that nobody keeps is worse than none.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import type { Contract } from './contract.ts'

/** The paths of such rules in this contract. */
export function findUnenforcedRules(contract: Contract): readonly string[] {
  const stated: Readonly<Record<string, unknown>> = { host: contract.host }
  return Object.keys(stated).filter((path) => isStated(stated[path] as JsonValue | undefined))
}

/** Empty lists and maps say nothing. */
function isStated(value: JsonValue | undefined): boolean {
  if (value === undefined) return false
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0
}
