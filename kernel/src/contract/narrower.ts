/** What it means, for a value of each sort, that a child says no more than its parent. */
import { compareDecimal, parseDecimal } from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { getOwn } from './own.ts'
import { isEachCovered } from './pattern.ts'

export function isSame(child: JsonValue | undefined, parent: JsonValue | undefined): boolean {
  if (child === undefined || parent === undefined) return child === parent
  return toCanonicalText(child) === toCanonicalText(parent)
}

/** A rule that the parent does not have may be added; one that it has stays as it is. */
export function isKept(child: JsonValue | undefined, parent: JsonValue | undefined): boolean {
  return parent === undefined || isSame(child, parent)
}

/** Everything that the parent's map names stands in the child's; what is added there adds rules. */
export function hasAllMembers<T extends JsonValue>(
  child: Readonly<Record<string, T>>,
  parent: Readonly<Record<string, T>>,
): boolean {
  return Object.entries(parent).every(([name, value]) => isSame(getOwn(child, name), value))
}

/** A number that cannot be read is beyond every bound. */
export function isAtMost(child: string | undefined, parent: string | undefined): boolean {
  if (parent === undefined) return true
  const value = parseDecimal(child ?? '')
  const bound = parseDecimal(parent)
  return value !== undefined && bound !== undefined && compareDecimal(value, bound) <= 0
}

export function isAtLeast(child: string | undefined, parent: string | undefined): boolean {
  return parent === undefined || (child !== undefined && isAtMost(parent, child))
}

export function isSubset(child: readonly string[], parent: readonly string[]): boolean {
  return child.every((one) => parent.includes(one))
}

/** Everything that a pattern of the child matches, one pattern of the parent matches too. */
export function isCovered(child: readonly string[], parent: readonly string[]): boolean {
  return isEachCovered(parent, child)
}
