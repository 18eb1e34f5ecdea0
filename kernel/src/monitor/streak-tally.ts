import type { Reading } from './sample.ts'
import type { Tally } from './tally.ts'
import type { Total } from './total.ts'

/** How many of the newest met the condition, one after the other. */
export class StreakTally implements Tally {
  readonly #length: number
  #size = 0
  #run = 0

  constructor(length: number) {
    this.#length = length
  }

  add(reading: Reading): void {
    this.#size += 1
    this.#run = isHit(reading) ? this.#run + 1 : 0
  }

  drop(): void {
    this.#size -= 1
    this.#run = Math.min(this.#run, this.#size)
  }

  computeTotal(): Total {
    const breach = { bound: 'length', threshold: String(this.#length) } as const
    return { value: String(this.#run), breach: this.#run >= this.#length ? breach : null }
  }
}

/** Met the condition, as far as anybody can say that it did not. */
export function isHit(reading: Reading): boolean {
  return reading === null || reading.amount.digits !== 0n
}
