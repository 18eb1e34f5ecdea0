/**
 * Whoever sets the clocks of machines, forward and back.
 *
 * Nobody can measure what happened before he started, or on another machine, by more than wall clocks
 * say. So that an engine can be right at all, they are wrong only in ways that it keeps a margin for,
 * or that show:
 *
 * 1. What a clock is set back by stays below the margin that the engine keeps to a provider's window.
 * 2. By an hour it is set back only while nothing is on its way.
 * 3. Machines that share a store agree to within that margin, or differ by an hour at least.
 */
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import type { MachineClock } from './machine-clock.ts'
import { openOutcomes } from './open-outcomes.ts'
import type { Faults } from './swarm.ts'

const HOUR_MS = 3_600_000
const JUMPS = [5, 2000, 90_000, 90_000, 700_000, HOUR_MS, 25 * HOUR_MS]
const BACK_MS = { alone: 30_000, together: 10_000 } as const

export async function simulateTimeService(scene: Scene, faults: Faults): Promise<void> {
  const { time, rng, site, enough } = scene
  const clocks = site.machines.map(({ clock }) => clock)
  const most = clocks.length === 1 ? BACK_MS.alone : BACK_MS.together
  /** How far each was, since the last time that it was set back by an hour. */
  const highest = new Map(clocks.map((clock) => [clock, clock.offset]))
  while (!enough()) {
    await time.sleep(rng.drawBetween(500, 15_000))
    const clock = rng.pick(clocks)
    if (faults.drawFault('clock_forward')) forward(clock, clocks, rng.pick(JUMPS))
    for (const one of clocks) highest.set(one, Math.max(one.offset, highest.get(one) ?? 0))
    if (faults.drawFault('clock_back')) {
      const room = Math.max(0, clock.offset - ((highest.get(clock) ?? 0) - most))
      clock.jump(-rng.drawBetween(0, room))
    }
    if (openOutcomes(site.tables) === 0 && faults.drawFault('clock_back_an_hour')) {
      clock.jump(-HOUR_MS)
      highest.set(clock, clock.offset)
    }
  }
}

/** By which a clock goes astray: everything that is open would have ended, or would never end. */
const ASTRAY_MS = [400 * 24 * HOUR_MS, 400 * 24 * HOUR_MS, 8 * 24 * HOUR_MS, -HOUR_MS]
const SLEPT_MS = [90_000, HOUR_MS, 25 * HOUR_MS]

/**
 * Where the store watches the time: machines sleep for a while, or a clock goes astray and is put right
 * later. Processes are started in between, and while it is wrong.
 */
export async function simulateBrokenClock(scene: Scene): Promise<void> {
  const { time, rng, site, note, enough } = scene
  const clocks = site.machines.map(({ clock }) => clock)
  while (!enough()) {
    await time.sleep(rng.drawBetween(500, 15_000))
    const clock = rng.pick(clocks)
    if (rng.drawChance(0.3)) {
      const slept = rng.pick(SLEPT_MS)
      note(`asleep for ${slept}`)
      for (const one of [site.server, ...clocks]) one.jump(slept)
    } else {
      const by = rng.pick(ASTRAY_MS)
      note(`clock astray by ${by}`)
      clock.goAstray(by)
      await time.sleep(rng.drawBetween(500, 40_000))
      clock.goAstray(0)
    }
    // After many nights without an entry the clock is right, and looks as if it were not.
    await call(scene, (engine) => engine.oversight.confirmClock('it is right as it stands'))
  }
}

function forward(clock: MachineClock, clocks: readonly MachineClock[], ms: number): void {
  for (const one of ms < HOUR_MS ? clocks : [clock]) one.jump(ms)
}
