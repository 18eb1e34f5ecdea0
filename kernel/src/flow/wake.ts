/**
 * Whether an observation is worth waking an agent for.
 *
 * A value that stays the same wakes nobody. A threshold counts when it is reached, and only on the
 * way to it: what is above and stays above is no news. A change that cannot be measured (the first
 * sight of a path, a move away from zero, something that is no number) is a change of any size.
 */
import {
  compareDecimal,
  type Decimal,
  multiplyDecimal,
  parseDecimal,
  subtractDecimal,
  toDecimal,
  toMagnitude,
} from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Subscription, WakeCondition } from '../contract/subscription.ts'

/** `before` is undefined when the path was never seen. */
export function isWakingChange(
  { wake_if }: Subscription,
  before: JsonValue | undefined,
  after: JsonValue,
): boolean {
  if (before !== undefined && isSameValue(before, after)) return false
  return wake_if === undefined || isConditionMet(wake_if, before, after)
}

function isConditionMet(
  condition: WakeCondition,
  before: JsonValue | undefined,
  after: JsonValue,
): boolean {
  const { abs_change_pct, above, below, equals } = condition
  const isCrossed = (reached: (value: JsonValue) => boolean): boolean =>
    reached(after) && (before === undefined || !reached(before))
  return (
    (abs_change_pct !== undefined && hasChangedBy(abs_change_pct, before, after)) ||
    (above !== undefined && isCrossed((value) => compareToBound(value, above) >= 0)) ||
    (below !== undefined && isCrossed((value) => compareToBound(value, below) <= 0)) ||
    (equals !== undefined && isCrossed((value) => isSameValue(value, equals)))
  )
}

/** 0.5 % of 100 is 0.5: at 100.5 it is reached, at 100.4999 it is not. */
function hasChangedBy(pct: string, before: JsonValue | undefined, after: JsonValue): boolean {
  const from = before === undefined ? undefined : toDecimal(before)
  const to = toDecimal(after)
  const bound = parseDecimal(pct)
  if (from === undefined || to === undefined || bound === undefined) return true
  const hundredfold = multiplyDecimal(toMagnitude(subtractDecimal(to, from)), HUNDRED)
  return compareDecimal(hundredfold, multiplyDecimal(bound, toMagnitude(from))) >= 0
}

const HUNDRED: Decimal = { digits: 100n, scale: 0 }

/** NaN, which is on neither side of anything, for what is no number. */
function compareToBound(value: JsonValue, bound: string): number {
  const left = toDecimal(value)
  const right = parseDecimal(bound)
  return left === undefined || right === undefined ? Number.NaN : compareDecimal(left, right)
}

/** Numbers by value, however they are written; the rest by canonical text. */
function isSameValue(a: JsonValue, b: JsonValue): boolean {
  const left = toDecimal(a)
  const right = toDecimal(b)
  if (left !== undefined && right !== undefined) return compareDecimal(left, right) === 0
  return toCanonicalText(a) === toCanonicalText(b)
}
