/** Crashes and pauses at the named places of the engine. */
import type { Failpoint, Failpoints } from '../../runtime/src/ports/failpoint.ts'
import type { VirtualTime } from './clock.ts'
import type { SimProcess } from './process.ts'
import type { Faults } from './swarm.ts'

/**
 * How long the process may stand still, in ms. Right before the send nothing can look at a clock any
 * more, so a pause there is bounded by what the margins of the engine cover; elsewhere it may be long.
 */
const LONG_PAUSES = [5, 500, 20_000, 45_000, 900_000]
const SHORT_PAUSES = [5, 500, 15_000]

export function stormFailpoints(
  time: VirtualTime,
  faults: Faults,
  process: SimProcess,
  hits: Map<Failpoint, number>,
): Failpoints {
  return {
    reach(point): Promise<void> | void {
      if (!process.alive) return process.never()
      hits.set(point, (hits.get(point) ?? 0) + 1)
      if (faults.strikes('crash_at_failpoint')) {
        process.crash(`at ${point}`)
        return process.never()
      }
      if (!faults.strikes('pause_at_failpoint')) return undefined
      const pauses = point === 'effect.before_send' ? SHORT_PAUSES : LONG_PAUSES
      const ms = pauses[faults.between(0, pauses.length - 1)] ?? 5
      return process.wait(time.sleep(ms))
    },
  }
}
