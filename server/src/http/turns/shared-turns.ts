/**
 * Slices of work that goes on for several at once, beside an engine that decides: all of them share one turn.
 *
 * T1 one slice at a time; askers are next one after the other: who has many under way waits behind itself.
 * T2 when slices have taken a while, the thread is everybody else's for as long before the next one begins.
 * T3 nothing is done for whoever has hung up when their turn comes: who comes and goes leaves no work behind.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import { newcomers } from '../connections/newcomers.ts'
import { AskerLines } from './asker-lines.ts'

export class SharedTurns {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #waiting = new AskerLines<() => Promise<void>>()
  #isWorking = false
  /** Since the thread was left to others. */
  #spentMs = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Null: whoever asked has hung up. */
  take<T>(asker: string, isGone: () => boolean, slice: () => Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(asker, () => this.#run(isGone, slice).then(resolve, reject))
      if (!this.#isWorking) void this.#runWaiting()
    })
  }

  async #runWaiting(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#waiting.takeNext(); next; next = this.#waiting.takeNext()) {
      await next()
      await this.#leaveThread()
    }
    this.#isWorking = false
  }

  async #run<T>(isGone: () => boolean, slice: () => Promise<T>): Promise<T | null> {
    // Who has hung up is heard of in a turn of the loop.
    await turn()
    if (isGone()) return null
    const since = this.#clock.monotonic()
    try {
      return await slice()
    } finally {
      this.#spentMs += this.#clock.monotonic() - since
    }
  }

  async #leaveThread(): Promise<void> {
    if (this.#spentMs < LIMITS.pastSliceMs) return
    const restMs = Math.min(this.#spentMs, LIMITS.pastRestMs)
    this.#spentMs = 0
    // Timers count from when the turn began, and this one has lasted a slice already.
    await turn()
    await new Promise((resolve) => setTimeout(resolve, restMs))
    await newcomers.letIn()
  }
}
