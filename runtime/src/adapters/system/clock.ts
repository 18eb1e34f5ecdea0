import type { Clock } from '../../ports/clock.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, idle = false) {
    let cancel = (): void => {}
    const elapsed = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      // A pending wake-up must not keep a finished process alive.
      if (idle) timer.unref()
      cancel = () => clearTimeout(timer)
    })
    return { elapsed, cancel }
  },
}
