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

  /** Connections that were taken. */
  get count(): number {
    return this.#count
  }

  letIn(): Promise<void> {
    // From now, not from its turn: who goes on connecting would hold up each of those that wait in line.
    const end = this.#now() + LIMITS.newcomersMs
    this.#last = this.#last.then(() => this.#waitForNobody(end))
    return this.#last
  }

  async #waitForNobody(end: number): Promise<void> {
    let before: number
    do {
      before = this.#count
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#count !== before && this.#now() < end)
  }
}

/** One for all servers of a process: they share its thread. */
export const newcomers: Newcomers = new Newcomers()
