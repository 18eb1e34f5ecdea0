/** How much of something is taken in a second; more of it waits, with whoever sends it. */
import type { Readable } from 'node:stream'

const SECOND_MS = 1_000

export class Pace {
  readonly #most: number
  #taken = 0
  #since = 0

  constructor(most: number) {
    this.#most = most
  }

  /** How long to wait before the next is taken, in milliseconds. */
  take(amount: number, now: number = performance.now()): number {
    if (now - this.#since >= SECOND_MS) {
      this.#since = now
      this.#taken = 0
    }
    this.#taken += amount
    return this.#taken <= this.#most ? 0 : this.#since + SECOND_MS - now
  }
}

/** Nothing is read meanwhile, so that a program that writes on and on waits in its own time. */
export function pauseFor(stream: Readable, ms: number): void {
  if (ms <= 0 || stream.isPaused()) return
  stream.pause()
  setTimeout(() => stream.resume(), ms).unref()
}
