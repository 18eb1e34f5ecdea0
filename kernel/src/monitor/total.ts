/** What a statistic comes to, and how it is shown. Only what is shown is ever rounded. */
import { assert } from '../assert.ts'
import {
  type Decimal,
  divideUp,
  formatDecimal,
  isNegative,
  negateDecimal,
  parseDecimal,
  toMagnitude,
} from '../canonical/decimal.ts'

export type Breach = {
  /** Which bound was passed. */
  readonly bound: 'max' | 'min' | 'length'
  /** Decimal text. */
  readonly threshold: string
}

/** Value: rounded away from zero; null where there is none. */
export type Total = { readonly value: string | null; readonly breach: Breach | null }

export const ZERO: Decimal = { digits: 0n, scale: 0 }
export const ONE: Decimal = { digits: 1n, scale: 0 }

const SHOWN_PLACES = 6

export function formatQuotient(value: Decimal, over: Decimal = ONE): string {
  const size = divideUp(toMagnitude(value), over, SHOWN_PLACES)
  return formatDecimal(isNegative(value) ? negateDecimal(size) : size)
}

/** The numbers of a monitor were read when it was parsed. */
export function toExactDecimal(text: string): Decimal {
  const decimal = parseDecimal(text)
  assert(decimal !== undefined, 'a number of a monitor is decimal text')
  return decimal
}
