import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'

/**
 * Sorted as told, and where that leaves a tie by the whole item, so that nothing shows in which
 * order a store gave them.
 */
export function sortItems<T extends JsonValue>(
  items: readonly T[],
  compareItems: (a: T, b: T) => number,
): readonly T[] {
  return items.toSorted(
    (a, b) => compareItems(a, b) || compare(toCanonicalText(a), toCanonicalText(b)),
  )
}

/** Numbers by size, texts by their UTF-16 code units. */
export function compare<T extends string | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0
}
