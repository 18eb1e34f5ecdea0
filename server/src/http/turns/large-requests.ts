/**
 * Large requests of one asker are handled one after the other. To read, judge and write one takes the thread
 * for a while, in pieces: of 64 that go on at once every piece would come before what somebody else asks.
 *
 * L1 of one asker one large request is handled at a time; those of others, and small ones, do not wait for it.
 * L2 before the next of the same asker the thread is left to others for as long as the one before took.
 * L3 whoever has hung up by then has asked for nothing. What was begun is ended.
 * L4 one that goes on for long waits for somebody else, such as a tool that it called, and hardly takes the thread: it leaves its place,
 *    since the next would otherwise wait for that tool too.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import { newcomers } from '../connections/newcomers.ts'

/** Several times as long as the largest takes that waits for nobody. */
const HELD_MS = 1_000

export class LargeRequests {
  readonly #clock: Pick<Clock, 'monotonic'>
  /** By asker, what waits behind the one that is handled. */
  readonly #lines = new Map<string, (() => void)[]>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Null: whoever asked has hung up meanwhile. */
  async handle<T>(asker: string, isGone: () => boolean, work: () => Promise<T>): Promise<T | null> {
    const line = this.#lines.get(asker)
    if (line === undefined) this.#lines.set(asker, [])
    else await new Promise<void>((resolve) => void line.push(resolve))
    await newcomers.letIn()
    const since = this.#clock.monotonic()
    let isHeld = true
    const leave = (): void => {
      if (isHeld) this.#leave(asker, this.#clock.monotonic() - since)
      isHeld = false
    }
    const timer = setTimeout(leave, HELD_MS)
    try {
      return isGone() ? null : await work()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  #leave(asker: string, tookMs: number): void {
    const line = this.#lines.get(asker)
    if (line === undefined || line.length === 0) return void this.#lines.delete(asker)
    setTimeout(() => line.shift()?.(), Math.min(tookMs, LIMITS.largeRequestRestMs))
  }
}
