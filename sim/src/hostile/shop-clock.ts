/** A clock that the run moves; what waits for a moment that has passed goes on. */
import type { Clock } from '../../../runtime/src/ports/clock.ts'

export type ShopClock = Clock & { advance(ms: number): void }

const START = Date.parse('2026-06-01T12:00:00.000Z')

export function createShopClock(): ShopClock {
  const begun = performance.now()
  let now = START
  let waiting: { readonly due: number; readonly resolve: () => void }[] = []
  return {
    now: () => now,
    // It also runs by itself: what tries again until its time is over must come to an end.
    monotonic: () => now - START + performance.now() - begun,
    after(ms) {
      const { promise: elapsed, resolve } = Promise.withResolvers<void>()
      const entry = { due: now + ms, resolve }
      waiting.push(entry)
      const cancel = (): void => {
        waiting = waiting.filter((other) => other !== entry)
      }
      return { elapsed, cancel }
    },
    advance(ms) {
      now += ms
      const due = waiting.filter((one) => one.due <= now)
      waiting = waiting.filter((one) => one.due > now)
      for (const one of due) one.resolve()
    },
  }
}
