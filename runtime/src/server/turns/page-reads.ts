/**
 * Pages of the ledger for those who go back far: one is read at a time, however many wait, and after it the
 * thread is everybody else's for as long as it took.
 *
 * R1 nothing is read for whoever has hung up when their turn comes: who comes and goes leaves no work behind.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import { PastQuestions } from './past-questions.ts'

export class PageReads {
  readonly #turns: PastQuestions
  #last: Promise<unknown> = Promise.resolve()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#turns = new PastQuestions(clock)
  }

  /** Null: whoever asked has hung up. */
  read<T>(isGone: () => boolean, work: () => Promise<T>): Promise<T | null> {
    const page = this.#last.then(() => this.#begin(isGone, work))
    this.#last = page.catch(() => {})
    return page
  }

  async #begin<T>(isGone: () => boolean, work: () => Promise<T>): Promise<T | null> {
    await turn()
    if (isGone()) return null
    const pause = this.#turns.createPause()
    try {
      return await work()
    } finally {
      await pause()
    }
  }
}
