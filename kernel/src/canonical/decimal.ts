import { assert } from '../assert.ts'
import type { JsonValue } from './json-value.ts'
import { splitNumeral } from './numeral.ts'

/** digits × 10^-scale, exactly. Limits are decided on these, never on floats. */
export type Decimal = {
  /** All digits, without the point. */
  readonly digits: bigint
  /** How many of the digits stand after the point; never negative. */
  readonly scale: number
}

const LONGEST_TEXT = 64
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/**
 * Reads `-12.50` and the like. One grammar, no locale: no exponent, plus sign, space or separator,
 * no superfluous zero in front, no negative zero. `1,000` is a thousand to some and one to others,
 * so it is nothing to us.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  const negative = text.charCodeAt(0) === MINUS
  const start = negative ? 1 : 0
  const wholeEnd = findDigitsEnd(text, start)
  const end = text.charCodeAt(wholeEnd) === POINT ? findDigitsEnd(text, wholeEnd + 1) : wholeEnd
  const scale = Math.max(0, end - wholeEnd - 1)

  if (wholeEnd === start || end !== text.length) return undefined
  if (end > wholeEnd && scale === 0) return undefined
  if (text.charCodeAt(start) === ZERO && wholeEnd > start + 1) return undefined

  const digits = BigInt(text.slice(start, wholeEnd) + text.slice(wholeEnd + 1))
  if (negative && digits === 0n) return undefined
  return { digits: negative ? -digits : digits, scale }
}

/** A string by the grammar above; a JSON number at its shortest form, also `1e21` and `1e-7`. */
export function toDecimal(value: JsonValue): Decimal | undefined {
  if (typeof value === 'string') return parseDecimal(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const { negative, digits, exponent } = splitNumeral(String(value))
  const size = BigInt(digits) * computePowerOfTen(Math.max(0, exponent))
  return { digits: negative ? -size : size, scale: Math.max(0, -exponent) }
}

/** Canonical: no zeros at the end of the fraction, no negative zero. */
export function formatDecimal(decimal: Decimal): string {
  const { digits, scale } = decimal
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  let end = padded.length
  while (end > whole.length && padded.charCodeAt(end - 1) === ZERO) end -= 1
  const fraction = end > whole.length ? `.${padded.slice(whole.length, end)}` : ''
  return `${digits < 0n ? '-' : ''}${whole}${fraction}`
}

export function compareDecimal(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { digits } = subtractDecimal(a, b)
  return digits < 0n ? -1 : digits > 0n ? 1 : 0
}

export function addDecimal(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { digits: scaleDigits(a, scale) + scaleDigits(b, scale), scale }
}

export function subtractDecimal(a: Decimal, b: Decimal): Decimal {
  return addDecimal(a, negateDecimal(b))
}

export function multiplyDecimal(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

export function negateDecimal(decimal: Decimal): Decimal {
  return { digits: -decimal.digits, scale: decimal.scale }
}

export function isNegative(decimal: Decimal): boolean {
  return decimal.digits < 0n
}

/** How many units of 10^-scale; undefined where digits would be lost: nothing is ever rounded. */
export function toMinorUnits(decimal: Decimal, scale: number): bigint | undefined {
  if (decimal.scale <= scale) return scaleDigits(decimal, scale)
  const unit = computePowerOfTen(decimal.scale - scale)
  return decimal.digits % unit === 0n ? decimal.digits / unit : undefined
}

export function convertMinorUnits(units: bigint, scale: number): Decimal {
  assert(Number.isSafeInteger(scale) && scale >= 0, 'the scale of a decimal is a natural number')
  return { digits: units, scale }
}

/**
 * Whether `to` differs from `from` by at most `pct` percent of `from`, without a division. From
 * zero there is no percentage: only zero is within any of it.
 */
export function isWithinPercent(from: Decimal, to: Decimal, pct: Decimal): boolean {
  const hundredfold = multiplyDecimal(toMagnitude(subtractDecimal(to, from)), HUNDRED)
  return compareDecimal(hundredfold, multiplyDecimal(pct, toMagnitude(from))) <= 0
}

const HUNDRED: Decimal = { digits: 100n, scale: 0 }

/**
 * The quotient, rounded up at so many places. It is for showing, and shows no distance smaller than
 * it is; nothing may be decided on it.
 */
export function divideUp(dividend: Decimal, divisor: Decimal, scale: number): Decimal {
  assert(dividend.digits >= 0n && divisor.digits > 0n, 'what is divided up is a positive share')
  const common = Math.max(dividend.scale, divisor.scale)
  const whole = scaleDigits(divisor, common)
  const part = scaleDigits(dividend, common) * computePowerOfTen(scale)
  return { digits: (part + whole - 1n) / whole, scale }
}

/** Whether a whole number of times `of`, which is not nought, is the value: exactly, as it is written. */
export function isMultipleOf(value: Decimal, of: Decimal): boolean {
  const common = Math.max(value.scale, of.scale)
  return scaleDigits(value, common) % scaleDigits(of, common) === 0n
}

export function toMagnitude(decimal: Decimal): Decimal {
  return isNegative(decimal) ? negateDecimal(decimal) : decimal
}

function scaleDigits(decimal: Decimal, scale: number): bigint {
  // Sums over many amounts of one scale are common, and a power costs more than the sum.
  if (decimal.scale === scale) return decimal.digits
  return decimal.digits * computePowerOfTen(scale - decimal.scale)
}

/** Those of every amount that is counted in minor units; to compute one costs more than what it is for. */
const POWERS_OF_TEN: readonly bigint[] = Array.from(
  { length: 32 },
  (_, exponent) => 10n ** BigInt(exponent),
)

function computePowerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent)
}

function findDigitsEnd(text: string, start: number): number {
  let end = start
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    if (code < ZERO || code > NINE) break
  }
  return end
}
