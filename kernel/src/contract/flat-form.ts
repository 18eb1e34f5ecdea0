/**
 * The short names of the DIR specification's `agent_contract.yaml`, and what they stand for.
 *
 * They are sugar: the stored contract knows only resource sets and limits, so that nothing is
 * enforced in two ways.
 */
import { LEAST, type Limit } from './contract.ts'

const ALLOWED = 'allowed_'
const MAX = 'max_'

/** The specification's name for `policy_kinds`. */
export const ALLOWED_POLICY_TYPES = 'allowed_policy_types'

/** `allowed_instruments` is the resource set `instruments`; any other name is its own set. */
export function toResourceSetName(name: string): string {
  return name.startsWith(ALLOWED) ? name.slice(ALLOWED.length) : name
}

export function isNamedLimit(name: string): boolean {
  return name.startsWith(MAX)
}

/** The order size is the one named limit whose measure and code have names of their own. */
export function buildNamedLimit(name: string, max: string): Limit {
  const isOrderSize = name === 'max_order_size_usd'
  return {
    id: name,
    kind: 'range',
    measure: isOrderSize ? 'order_value_usd' : name.slice(MAX.length),
    min: LEAST,
    max,
    on_breach: 'reject',
    reason_code: isOrderSize ? 'ORDER_VALUE_EXCEEDED' : 'LIMIT_EXCEEDED',
  }
}

const RULE_PREFIXES = ['forbidden', 'denied', 'deny', 'min_', 'requires_']
const RULE_SUFFIXES = ['_kind', '_kinds', '_types', '_limits']

/**
 * Under `permissions` any name with a list is a resource set, so a misspelt rule would become a set
 * that nobody asks for, and the rule would be gone. Such names must stand under `resources`.
 */
export function isRuleLikeName(name: string): boolean {
  return (
    RULE_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    RULE_SUFFIXES.some((suffix) => name.endsWith(suffix))
  )
}
