/**
 * Requests begin in turns of the loop. Node takes one new connection in a turn: of 64 small requests each takes some
 * milliseconds, and whoever comes to stop an agent behind as many new connections would wait for as many turns, each
 * as long as all of those requests.
 *
 * R1 in a turn requests begin until they have taken so long; the others begin later. One begins in any case.
 * R2 askers begin one after the other: who asks for much waits behind itself.
 * R3 while new connections come, they are taken for as long as the turn before lasted, and nothing begins meanwhile.
 * R4 whoever has hung up when their turn comes begins nothing, and takes none of it.
 *
 * Boundary: it says when a request begins. What ends authority does not wait here.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import { type Newcomers, newcomers } from '../connections/newcomers.ts'
import { AskerLines } from './asker-lines.ts'

type Waiting = {
  readonly isGone: () => boolean
  readonly begin: (isBegun: boolean) => void
}

export class RequestTurns {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #arrivals: Pick<Newcomers, 'count'>
  readonly #waiting = new AskerLines<Waiting>()
  #isBeginning = false

  constructor(clock: Pick<Clock, 'monotonic'>, arrivals: Pick<Newcomers, 'count'> = newcomers) {
    this.#clock = clock
    this.#arrivals = arrivals
  }

  /** Resolves when a request of that asker may begin. False: whoever asked has hung up. */
  wait(asker: string, isGone: () => boolean): Promise<boolean> {
    return new Promise((begin) => {
      this.#waiting.push(asker, { isGone, begin })
      if (!this.#isBeginning) void this.#beginAll()
    })
  }

  async #beginAll(): Promise<void> {
    this.#isBeginning = true
    while (!this.#waiting.isEmpty) {
      const since = this.#clock.monotonic()
      await this.#beginSome(since + LIMITS.requestTurnMs)
      await turn()
      await this.#takeNewcomers(this.#clock.monotonic() - since)
    }
    this.#isBeginning = false
  }

  async #beginSome(end: number): Promise<void> {
    do {
      const next = this.#waiting.takeNext()
      const isGone = next?.isGone() === true
      next?.begin(!isGone)
      if (isGone) continue
      // Comes after all that the request does before it waits for something outside.
      await new Promise<void>((resolve) => process.nextTick(resolve))
    } while (!this.#waiting.isEmpty && this.#clock.monotonic() < end)
  }

  async #takeNewcomers(forMs: number): Promise<void> {
    const end = this.#clock.monotonic() + Math.min(forMs, LIMITS.largeRequestRestMs)
    let before: number
    do {
      before = this.#arrivals.count
      await turn()
    } while (this.#arrivals.count !== before && this.#clock.monotonic() < end)
  }
}
