/** The exact value of a JSON number: ± digits × 10^exponent. Zero has no digits. */
export type Numeral = {
  readonly negative: boolean
  /** Significant digits, without leading or trailing zeros. */
  readonly digits: string
  readonly exponent: number
}

const ZERO = 0x30
const MINUS = 0x2d

/**
 * Takes a text of the JSON number grammar apart without evaluating it, in time linear in its
 * length: an adversary may send 200,000 digits, and a big integer of that size is slow to build.
 */
export function splitNumeral(lexeme: string): Numeral {
  const negative = lexeme.charCodeAt(0) === MINUS
  const mark = Math.max(lexeme.indexOf('e'), lexeme.indexOf('E'))
  const mantissa = lexeme.slice(negative ? 1 : 0, mark === -1 ? lexeme.length : mark)
  const point = mantissa.indexOf('.')
  const fraction = point < 0 ? '' : mantissa.slice(point + 1)
  const all = point < 0 ? mantissa : mantissa.slice(0, point) + fraction

  let last = all.length
  while (last > 0 && all.charCodeAt(last - 1) === ZERO) last -= 1
  if (last === 0) return { negative, digits: '', exponent: 0 }
  let first = 0
  while (all.charCodeAt(first) === ZERO) first += 1

  const written = mark < 0 ? 0 : Number(lexeme.slice(mark + 1))
  const exponent = written - fraction.length + (all.length - last)
  return { negative, digits: all.slice(first, last), exponent }
}

/**
 * Whether a lexeme says exactly what the double made from it says, where a double is taken at its
 * shortest rendering. `48500.00` and `10e-1` do; `9007199254740993` does not, because another
 * reader of the same bytes would see another amount.
 */
export function isExact(lexeme: Numeral, value: number): boolean {
  const kept = splitNumeral(String(value))
  return (
    lexeme.digits === kept.digits &&
    lexeme.exponent === kept.exponent &&
    lexeme.negative === kept.negative
  )
}
