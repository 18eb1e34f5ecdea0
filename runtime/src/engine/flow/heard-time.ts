/**
 * The earliest that it can be by the time of a store, as far as that was heard before: an answer is late by as long as it was on its
 * way, and what is measured here goes on.
 */
import { LIMITS } from 'rubicon-kernel'

/** So much more or less may pass on the clock of the store than is measured here, in each millisecond. */
export const DRIFT = 0.001

export class HeardTime {
  /** How far the time of the store is ahead of what is measured here, at least; as it was known then. */
  #ahead = Number.NEGATIVE_INFINITY
  #since = 0

  /** `monotonic`: when the answer was there. The quickest of them says most. */
  record(now: number, monotonic: number): void {
    const ahead = now - monotonic
    const known = this.#computeAhead(monotonic)
    // What is behind by more than any answer is late was set back.
    if (ahead < known && ahead >= known - LIMITS.clockSkewMs) return
    this.#ahead = ahead
    this.#since = monotonic
  }

  computeEarliest(monotonic: number): number {
    return monotonic + this.#computeAhead(monotonic)
  }

  #computeAhead(monotonic: number): number {
    return this.#ahead - (monotonic - this.#since) * DRIFT
  }
}
