import type { Timer } from '../../ports/clock.ts'

/** Ends many waits at once, and keeps nothing of those that ended by themselves. */
export class Cutoff {
  /** Begun anew whenever it is empty: or the collector finds one wait by the one before, see `InFlight`. */
  #waiting = new Set<() => void>()
  #isOver = false

  wait(): Timer {
    let cancel = (): void => {}
    const elapsed = new Promise<void>((resolve) => {
      if (this.#isOver) return resolve()
      this.#waiting.add(resolve)
      cancel = () => this.#removeWait(resolve)
    })
    return { elapsed, cancel }
  }

  #removeWait(resolve: () => void): void {
    this.#waiting.delete(resolve)
    if (this.#waiting.size === 0) this.#waiting = new Set()
  }

  /** Every wait ends, also those that are yet to come. */
  end(): void {
    this.#isOver = true
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
