/**
 * How fast the machine is while tests run. Seconds of a processor are not the same everywhere, nor twice on one machine:
 * two programs on one core, and whatever else runs, make the same work take up to twice as many. A calculation that is
 * always the same is timed again and again, so that runs can be compared.
 */
const EVERY_MS = 10_000
const ROUNDS = 10_000_000

export type SpeedWatch = {
  /** What the calculation took of a processor, in milliseconds: the median. */
  end(): number
}

export function watchSpeed(): SpeedWatch {
  // The first time it is not yet compiled.
  runCalculation()
  const taken = [measureCalculation()]
  const timer = setInterval(() => taken.push(measureCalculation()), EVERY_MS)
  timer.unref()
  return {
    end() {
      clearInterval(timer)
      const sorted = taken.toSorted((a, b) => a - b)
      return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
    },
  }
}

function measureCalculation(): number {
  const before = process.cpuUsage()
  runCalculation()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** xorshift32; the result is used, or it would not be calculated. */
function runCalculation(): void {
  let state = 1
  for (let round = 0; round < ROUNDS; round++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
  }
  if (state === 0) throw new Error('xorshift32 never comes to zero')
}
