import type { JsonValue } from '../canonical/json-value.ts'
import { canonicalText } from '../canonical/write-json.ts'

/**
 * Sorted as told, and where that leaves a tie by the whole item, so that nothing shows in which
 * order a store gave them.
 */
export function inOrder<T extends JsonValue>(
  items: readonly T[],
  compareItems: (a: T, b: T) => number,
): readonly T[] {
  return items.toSorted((a, b) => compareItems(a, b) || compare(canonicalText(a), canonicalText(b)))
}

/** Numbers by size, texts by their UTF-16 code units. */
export function compare<T extends string | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0
}
