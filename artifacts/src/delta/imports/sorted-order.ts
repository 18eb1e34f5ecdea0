/** In which order names or modules are listed, as those that are there show. */
type Compare = (one: string, other: string) => number

const compareCodes: Compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0)
const compareLetters: Compare = (one, other) =>
  compareCodes(one.toLowerCase(), other.toLowerCase()) || compareCodes(one, other)

/** The orders that are known; the first that fits is taken. */
const ORDERS: readonly Compare[] = [compareLetters, compareCodes]

/** Null: they are in none. Lists of one say nothing, so that without others they are in the first. */
export function detectOrder(lists: readonly (readonly string[])[]): Compare | null {
  const isIn = (compare: Compare): boolean =>
    lists.every((list) => list.every((name, i) => i === 0 || compare(list[i - 1] ?? '', name) <= 0))
  return ORDERS.find(isIn) ?? null
}

/** How many of them come before it; without an order, all. */
export function countBefore(
  list: readonly string[],
  name: string,
  compare: Compare | null,
): number {
  if (compare === null) return list.length
  const index = list.findIndex((one) => compare(one, name) > 0)
  return index < 0 ? list.length : index
}
