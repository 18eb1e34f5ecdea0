/** Above this many keys the built-in sort is faster than insertion. */
const FEW_KEYS = 24

/**
 * By UTF-16 code units, as RFC 8785 says, which is how JavaScript compares strings. Most objects are
 * small or in order already (what was stored canonically comes back so), where insertion is best.
 */
export function sortKeys(keys: string[]): readonly string[] {
  return keys.length > FEW_KEYS ? keys.sort() : sortFewKeys(keys)
}

function sortFewKeys(keys: string[]): readonly string[] {
  let sorted = 0
  for (const key of keys) {
    let gap = sorted
    for (; gap > 0; gap -= 1) {
      const before = keys[gap - 1]
      if (before === undefined || before < key) break
      keys[gap] = before
    }
    if (gap !== sorted) keys[gap] = key
    sorted += 1
  }
  return keys
}
