import type { Timer } from '../ports/clock.ts'

/** Ends many waits at once, and keeps nothing of those that ended by themselves. */
export class Cutoff {
  readonly #waiting = new Set<() => void>()
  #isOver = false

  wait(): Timer {
    let cancel = (): void => {}
    const elapsed = new Promise<void>((resolve) => {
      if (this.#isOver) return resolve()
      this.#waiting.add(resolve)
      cancel = () => void this.#waiting.delete(resolve)
    })
    return { elapsed, cancel }
  }

  /** Every wait ends, also those that are yet to come. */
  end(): void {
    this.#isOver = true
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
