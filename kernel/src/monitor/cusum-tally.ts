import { assert } from '../assert.ts'
import { addDecimal, compareDecimal, type Decimal, subtractDecimal } from '../canonical/decimal.ts'
import type { Reading } from './sample.ts'
import type { Tally } from './tally.ts'
import { formatQuotient, type Total, toExactDecimal, ZERO } from './total.ts'

/** The sum before a reading, from which a run may start. */
type Start = { readonly at: number; readonly sum: Decimal }

/**
 * The largest sum of a run that ends now is the sum so far less the smallest sum before the run. The
 * smallest of a window that rolls is kept as the rising sums that nothing later undercuts.
 */
export class CusumTally implements Tally {
  readonly #max: Decimal
  readonly #threshold: string
  #sum: Decimal = ZERO
  #added = 0
  #dropped = 0
  /** Sums before the n-th reading, rising, the oldest first; those before `#first` are gone. */
  #starts: Start[] = [{ at: 0, sum: ZERO }]
  #first = 0

  constructor(max: string) {
    this.#threshold = max
    this.#max = toExactDecimal(max)
  }

  add(reading: Reading): void {
    this.#added += 1
    // An unreadable value trips the window by itself; it moves no sum.
    if (reading !== null) this.#sum = addDecimal(this.#sum, reading.amount)
    for (;;) {
      const last = this.#starts.at(-1)
      if (this.#starts.length === this.#first || last === undefined) break
      if (compareDecimal(last.sum, this.#sum) < 0) break
      this.#starts.pop()
    }
    this.#starts.push({ at: this.#added, sum: this.#sum })
  }

  drop(): void {
    this.#dropped += 1
    while (this.#getOldest().at < this.#dropped) this.#first += 1
    if (this.#first * 2 <= this.#starts.length) return
    this.#starts = this.#starts.slice(this.#first)
    this.#first = 0
  }

  computeTotal(): Total {
    const reached = subtractDecimal(this.#sum, this.#getOldest().sum)
    const breach = { bound: 'max', threshold: this.#threshold } as const
    return {
      value: formatQuotient(reached),
      breach: compareDecimal(reached, this.#max) > 0 ? breach : null,
    }
  }

  #getOldest(): Start {
    const start = this.#starts[this.#first]
    assert(start !== undefined, 'there always is a sum that a run can start from')
    return start
  }
}
