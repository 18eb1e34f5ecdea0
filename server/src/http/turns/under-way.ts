/**
 * Requests under way, so many of one principal. How often somebody asks says nothing of what it costs:
 * a few who ask for long lists at once would take the thread from everybody else.
 *
 * U1 a place is held until the work has ended and the answer is gone, whichever comes last: whoever
 *    hangs up has not asked for less.
 * U2 a place is given back once, and nothing is remembered of whoever has none.
 */
export class UnderWay {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Null: it has as many as it may. `places`: of what comes as one and is many; they are left together. */
  enter(name: string, places = 1): RequestSlot | null {
    const count = this.#counts.get(name) ?? 0
    if (count + places > this.#most) return null
    this.#counts.set(name, count + places)
    return new RequestSlot(() => this.#leave(name, places))
  }

  #leave(name: string, places: number): void {
    const left = (this.#counts.get(name) ?? 0) - places
    if (left > 0) this.#counts.set(name, left)
    else this.#counts.delete(name)
  }
}

export class RequestSlot {
  #leave: (() => void) | null
  #holders = 0

  constructor(leave: () => void) {
    this.#leave = leave
  }

  /** For something that goes on; to be called when it has ended. */
  hold(): () => void {
    this.#holders += 1
    return () => {
      this.#holders -= 1
      if (this.#holders === 0) this.leave()
    }
  }

  /** Whatever still goes on is counted elsewhere. */
  leave(): void {
    this.#leave?.()
    this.#leave = null
  }
}
