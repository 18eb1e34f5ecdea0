import {
  addDecimal,
  compareDecimal,
  type Decimal,
  multiplyDecimal,
  subtractDecimal,
} from '../canonical/decimal.ts'
import type { Bounds } from './monitor.ts'
import type { Reading } from './sample.ts'
import type { Tally } from './tally.ts'
import { formatQuotient, ONE, type Total, toExactDecimal, ZERO } from './total.ts'

/** A sum over a sum: a mean over as many ones, a rate over hits, a ratio over the other value. */
export class QuotientTally implements Tally {
  readonly #bounds: Bounds
  readonly #unreadableCounts: boolean
  #amount: Decimal = ZERO
  #over: Decimal = ZERO
  #unreadable: Decimal = ZERO

  /** `against`: unreadable values are the worst that they can be. */
  constructor(bounds: Bounds, unreadable: 'against' | 'apart') {
    this.#bounds = bounds
    this.#unreadableCounts = unreadable === 'against'
  }

  add(reading: Reading): void {
    if (reading !== null) {
      this.#amount = addDecimal(this.#amount, reading.amount)
      this.#over = addDecimal(this.#over, reading.over)
    } else if (this.#unreadableCounts) this.#unreadable = addDecimal(this.#unreadable, ONE)
  }

  drop(reading: Reading): void {
    if (reading !== null) {
      this.#amount = subtractDecimal(this.#amount, reading.amount)
      this.#over = subtractDecimal(this.#over, reading.over)
    } else if (this.#unreadableCounts) this.#unreadable = subtractDecimal(this.#unreadable, ONE)
  }

  /** Compared by multiplication: something over nothing is beyond every bound. */
  computeTotal(): Total {
    const { max, min } = this.#bounds
    const over = addDecimal(this.#over, this.#unreadable)
    const most = addDecimal(this.#amount, this.#unreadable)
    const formatTotal = (value: Decimal): string | null =>
      over.digits === 0n ? null : formatQuotient(value, over)
    if (max !== undefined && compareDecimal(most, multiplyDecimal(toExactDecimal(max), over)) > 0)
      return { value: formatTotal(most), breach: { bound: 'max', threshold: max } }
    if (
      min !== undefined &&
      compareDecimal(this.#amount, multiplyDecimal(toExactDecimal(min), over)) < 0
    )
      return { value: formatTotal(this.#amount), breach: { bound: 'min', threshold: min } }
    return { value: formatTotal(max === undefined ? this.#amount : most), breach: null }
  }
}
