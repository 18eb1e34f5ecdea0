import { compareDecimal, type Decimal, multiplyDecimal } from '../canonical/decimal.ts'
import type { Statistic } from './monitor.ts'
import type { Reading } from './sample.ts'
import type { Tally } from './tally.ts'
import { formatQuotient, type Total, toExactDecimal } from './total.ts'

/** Half the sum of the differences between the shares of each bin, here and in the baseline. */
export class ShiftTally implements Tally {
  readonly #edges: readonly Decimal[]
  readonly #baseline: readonly bigint[]
  readonly #baselineSize: bigint
  readonly #max: Decimal
  readonly #threshold: string
  readonly #counts = new Map<number, bigint>()
  #size = 0n

  constructor({ edges, baseline, max }: Extract<Statistic, { kind: 'shift' }>) {
    this.#edges = edges.map(toExactDecimal)
    this.#baseline = baseline.map(BigInt)
    this.#baselineSize = this.#baseline.reduce((sum, count) => sum + count, 0n)
    this.#max = toExactDecimal(max)
    this.#threshold = max
  }

  add(reading: Reading): void {
    this.#count(reading, 1n)
  }

  drop(reading: Reading): void {
    this.#count(reading, -1n)
  }

  #count(reading: Reading, by: bigint): void {
    if (reading === null) return
    const bin = findBin(this.#edges, reading.amount)
    this.#counts.set(bin, (this.#counts.get(bin) ?? 0n) + by)
    this.#size += by
  }

  computeTotal(): Total {
    if (this.#size === 0n) return { value: null, breach: null }
    let difference = 0n
    this.#baseline.forEach((expected, bin) => {
      const found = this.#counts.get(bin) ?? 0n
      const apart = found * this.#baselineSize - expected * this.#size
      difference += apart < 0n ? -apart : apart
    })
    const whole: Decimal = { digits: 2n * this.#size * this.#baselineSize, scale: 0 }
    const distance: Decimal = { digits: difference, scale: 0 }
    const breach = { bound: 'max', threshold: this.#threshold } as const
    const beyond = compareDecimal(distance, multiplyDecimal(this.#max, whole)) > 0
    return { value: formatQuotient(distance, whole), breach: beyond ? breach : null }
  }
}

function findBin(edges: readonly Decimal[], value: Decimal): number {
  const bin = edges.findIndex((edge) => compareDecimal(value, edge) <= 0)
  return bin < 0 ? edges.length : bin
}
