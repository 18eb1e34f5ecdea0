import { type Decimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'

/** A number that was computed; what was read stays as it is written. */
export class Computed {
  readonly decimal: Decimal

  constructor(decimal: Decimal) {
    this.decimal = decimal
  }
}

export type Value = JsonValue | Computed

export function isNumber(value: Value): value is Computed | number {
  return value instanceof Computed || typeof value === 'number'
}

/** A number, or a text that is one. */
export function isNumeral(value: Value): boolean {
  return value instanceof Computed || toDecimal(value) !== undefined
}
