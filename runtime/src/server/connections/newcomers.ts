/**
 * Lets new connections in before what takes long. Node takes one connection in a turn of its loop: while
 * thousands wait and turns are long, whoever comes to stop an agent waits behind all of them for as many turns.
 *
 * N1 what takes long begins when nobody new has come for a turn, or after so long: it is only put off.
 * N2 of all that take long one begins in a turn: slices of several kinds of work would add up to one long turn.
 */
import { LIMITS } from 'rubicon-kernel'

export class Newcomers {
  readonly #now: () => number
  #count = 0
  #last: Promise<void> = Promise.resolve()

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A connection was taken. */
  add(): void {
    this.#count += 1
  }

  letIn(): Promise<void> {
    this.#last = this.#last.then(() => this.#waitForNobody())
    return this.#last
  }

  async #waitForNobody(): Promise<void> {
    const end = this.#now() + LIMITS.newcomersMs
    let before: number
    do {
      before = this.#count
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#count !== before && this.#now() < end)
  }
}

/** One for all servers of a process: they share its thread. */
export const newcomers: Newcomers = new Newcomers()
