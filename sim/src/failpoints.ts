/** Crashes and pauses at the named places of the engine. */
import type { Failpoint, Failpoints } from '../../runtime/src/ports/failpoint.ts'
import type { VirtualTime } from './clock.ts'
import type { SimProcess } from './process.ts'
import type { Faults } from './swarm.ts'

/**
 * How long one task may stand still, in ms. Right before the send nothing can look at a clock any
 * more, so a pause there is bounded by what the margins of the engine cover; elsewhere it may be long.
 */
const LONG_PAUSES = [5, 500, 20_000, 45_000, 900_000]
const SHORT_PAUSES = [5, 500, 15_000]

export function createStormFailpoints(input: {
  readonly time: VirtualTime
  readonly faults: Faults
  readonly process: SimProcess
  readonly hits: Map<Failpoint, number>
  /** Stops the whole process for a while. */
  readonly freeze: () => void
}): Failpoints {
  const { time, faults, process, hits, freeze } = input
  return {
    reach(point): Promise<void> | void {
      if (!process.alive) return process.waitForever()
      hits.set(point, (hits.get(point) ?? 0) + 1)
      if (faults.drawFault('crash_at_failpoint')) {
        process.simulateCrash(`at ${point}`)
        return process.waitForever()
      }
      if (faults.drawFault('process_frozen')) freeze()
      const isLeaving = point === 'effect.before_send'
      if (faults.drawFault('pause_at_failpoint')) {
        const pauses = isLeaving ? SHORT_PAUSES : LONG_PAUSES
        const ms = pauses[faults.drawBetween(0, pauses.length - 1)] ?? 5
        // Nobody asks how everything ended before it has gone on.
        const slept = process.work(time.sleep(ms))
        return isLeaving ? process.waitUnlessDead(slept) : process.wait(slept)
      }
      return isLeaving || process.runs ? undefined : process.turn()
    },
  }
}
