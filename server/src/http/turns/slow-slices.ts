/**
 * How long slow reads have had the thread, all together, and the rest that comes after it.
 *
 * S1 after a slice the thread is free for as long as the slice took: while it is, none of them goes on.
 * S2 only what they did counts: neither the time in which nobody asked anything, nor the rest of another.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import { newcomers } from '../connections/newcomers.ts'

export class SlowSlices {
  readonly #clock: Pick<Clock, 'monotonic'>
  /** When the slice began. */
  #since: number
  #open = 0
  #resting: Promise<void> | null = null

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
    this.#since = clock.monotonic()
  }

  begin(): void {
    this.refresh()
    this.#open += 1
  }

  /** A slice begins now, unless somebody is in theirs. */
  refresh(): void {
    if (this.#open === 0 && this.#resting === null) this.#since = this.#clock.monotonic()
  }

  end(): void {
    this.#open -= 1
  }

  /** To be called often: mostly it does nothing. */
  async pause(): Promise<void> {
    while (this.#resting !== null) await this.#resting
    const tookMs = this.#clock.monotonic() - this.#since
    if (tookMs < LIMITS.pastSliceMs) return
    this.#resting = this.#leaveThread(tookMs)
    await this.#resting
  }

  async #leaveThread(tookMs: number): Promise<void> {
    // Timers count from when the turn began, and this one has lasted a slice already.
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, LIMITS.pastRestMs)))
    await newcomers.letIn()
    this.#since = this.#clock.monotonic()
    this.#resting = null
  }
}
