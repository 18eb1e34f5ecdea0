/** Small tools for honest figures: medians of interleaved rounds, since the machine is noisy. */

export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2
}

export function computePercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** How many a second. */
export async function measureRate(
  count: number,
  work: () => Promise<void> | void,
): Promise<number> {
  const started = performance.now()
  await work()
  return (count * 1000) / (performance.now() - started)
}

/** Runs `work` until `count` are done, `lanes` at a time. */
export async function runLanes(
  count: number,
  lanes: number,
  work: () => Promise<void>,
): Promise<void> {
  let left = count
  const runLane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
}

/** Three digits are all that this machine can tell. */
export function roundFigure(value: number): number {
  return Number(value.toPrecision(3))
}
