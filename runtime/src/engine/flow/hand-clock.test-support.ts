/** A clock that a test moves by hand. Nothing sleeps. */
import type { Clock } from '../../ports/clock.ts'

export type HandClock = Clock & { advance(ms: number): Promise<void> }

type Waiting = { readonly due: number; readonly resolve: () => void }

export function handClock(start: number = Date.parse('2026-06-01T12:00:00.000Z')): HandClock {
  let now = start
  let waiting: Waiting[] = []
  return {
    now: () => now,
    monotonic: () => now - start,
    after(ms) {
      let entry: Waiting | undefined
      const elapsed = new Promise<void>((resolve) => {
        entry = { due: now + ms, resolve }
        waiting.push(entry)
      })
      return {
        elapsed,
        cancel: () => {
          waiting = waiting.filter((other) => other !== entry)
        },
      }
    },
    async advance(ms) {
      now += ms
      const due = waiting.filter((timer) => timer.due <= now)
      waiting = waiting.filter((timer) => timer.due > now)
      for (const timer of due) timer.resolve()
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
