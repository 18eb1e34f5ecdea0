/** Long loops beside an engine that decides: a part at a time, and everybody else goes first. */

/** To be called often: mostly it does nothing, and sometimes it lets everybody else go first. */
export type Pause = () => Promise<void>

/** What is done between two pauses: well below a millisecond. */
const PART = 512

export async function copyMapInTurns<K, V>(
  map: ReadonlyMap<K, V>,
  pause: Pause,
): Promise<Map<K, V>> {
  const copy = new Map<K, V>()
  for (const [key, value] of map) {
    copy.set(key, value)
    if (copy.size % PART === 0) await pause()
  }
  return copy
}

/** Merges runs that are in order, pair by pair, until there is one. */
export async function sortItemsInTurns<T>(
  items: Iterable<T>,
  order: (a: T, b: T) => number,
  pause: Pause,
): Promise<readonly T[]> {
  let runs: T[][] = [[]]
  for (const item of items) {
    const run = runs.at(-1)
    if (run === undefined || run.length === PART) runs.push([item])
    else run.push(item)
  }
  for (const run of runs) {
    run.sort(order)
    await pause()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await mergeInTurns(runs[i] ?? [], runs[i + 1] ?? [], order, pause))
    runs = merged
  }
  return runs[0] ?? []
}

async function mergeInTurns<T>(
  left: readonly T[],
  right: readonly T[],
  order: (a: T, b: T) => number,
  pause: Pause,
): Promise<T[]> {
  const merged: T[] = []
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    const [a, b] = [left[i], right[j]]
    if (a !== undefined && (b === undefined || order(a, b) <= 0)) {
      merged.push(a)
      i += 1
    } else if (b !== undefined) {
      merged.push(b)
      j += 1
    }
    if (merged.length % PART === 0) await pause()
  }
  return merged
}
