/** That is what a small machine has cores for. */
const AT_ONCE = 2

/** All of them, a few at once; results in the order of the items. */
export async function runConcurrently<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const waiting = [...items.entries()]
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next
      results[index] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take))
  return results
}
