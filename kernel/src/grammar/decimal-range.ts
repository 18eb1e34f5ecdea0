/**
 * A range of decimals as a regular expression, for decoders that know no numbers.
 *
 * R1 It matches exactly the canonical texts of one scale: no superfluous zero in front, no negative zero, all digits
 *    behind the point written.
 * R2 Both ends are inside. Ends of a finer scale are rounded inwards, never outwards.
 */
import { type Decimal, toMinorUnits } from '../canonical/decimal.ts'

/** A range in units of 10^-scale. */
export type MinorRange = { readonly min: bigint; readonly max: bigint }

/** The same range in whole units of a scale, rounded inwards. */
export function toMinorRange(min: Decimal, max: Decimal, scale: number): MinorRange {
  return { min: -roundDown(negate(min), scale), max: roundDown(max, scale) }
}

/** Undefined: no decimal of that scale lies in the range. */
export function describeDecimalRange(
  min: Decimal,
  max: Decimal,
  scale: number,
): string | undefined {
  const range = toMinorRange(min, max, scale)
  if (range.min > range.max) return undefined
  const below = listBelowZero(range, scale)
  const above = listFromZero({ min: range.min > 0n ? range.min : 0n, max: range.max }, scale)
  return `^(?:${[...below, ...above].join('|')})$`
}

function roundDown(decimal: Decimal, scale: number): bigint {
  const exact = toMinorUnits(decimal, scale)
  if (exact !== undefined) return exact
  const unit = 10n ** BigInt(decimal.scale - scale)
  const towardsZero = decimal.digits / unit
  return decimal.digits < 0n ? towardsZero - 1n : towardsZero
}

function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale }
}

/** Zero is not among them: it has no sign. */
function listBelowZero({ min, max }: MinorRange, scale: number): readonly string[] {
  const magnitudes = { min: max < 0n ? -max : 1n, max: -min }
  return listFromZero(magnitudes, scale).map((one) => `-${one}`)
}

/** One alternative for each number of digits; of those with as many as the scale asks for, the first may be zero. */
function listFromZero({ min, max }: MinorRange, scale: number): readonly string[] {
  const alternatives: string[] = []
  for (let length = scale + 1; ; length += 1) {
    const least = length === scale + 1 ? 0n : 10n ** BigInt(length - 1)
    if (least > max) break
    const most = 10n ** BigInt(length) - 1n
    const from = min > least ? min : least
    const to = max < most ? max : most
    if (from > to) continue
    const toDigits = (units: bigint): string => String(units).padStart(length, '0')
    alternatives.push(describeDigits(toDigits(from), toDigits(to), scale))
  }
  return alternatives
}

const POINT = '[.]'

/** All texts of one length between two, the point before the last `scale` digits. */
function describeDigits(from: string, to: string, scale: number): string {
  if (from === '') return ''
  const point = from.length === scale ? POINT : ''
  return `${point}${describeAfterPoint(from, to, scale)}`
}

function describeAfterPoint(from: string, to: string, scale: number): string {
  if (isAll(from, '0') && isAll(to, '9')) return describeAny(from.length, scale)
  const [low = '', high = ''] = [from[0], to[0]]
  const [fromRest, toRest] = [from.slice(1), to.slice(1)]
  if (low === high) return `${low}${describeDigits(fromRest, toRest, scale)}`
  const parts: string[] = []
  const isLowWhole = isAll(fromRest, '0')
  const isHighWhole = isAll(toRest, '9')
  const nines = '9'.repeat(fromRest.length)
  const zeros = '0'.repeat(fromRest.length)
  if (!isLowWhole) parts.push(`${low}${describeDigits(fromRest, nines, scale)}`)
  const first = Number(low) + (isLowWhole ? 0 : 1)
  const last = Number(high) - (isHighWhole ? 0 : 1)
  if (first <= last)
    parts.push(`${describeClass(first, last)}${describeDigits(zeros, nines, scale)}`)
  if (!isHighWhole) parts.push(`${high}${describeDigits(zeros, toRest, scale)}`)
  const [only = '', ...others] = parts
  return others.length === 0 ? only : `(?:${parts.join('|')})`
}

/** So many digits of any kind, the point among them where it belongs; the one before the first was written. */
function describeAny(length: number, scale: number): string {
  if (length <= scale || scale === 0) return describeRun(length)
  return `${describeRun(length - scale)}${POINT}${describeRun(scale)}`
}

function describeRun(length: number): string {
  return length === 1 ? '[0-9]' : `[0-9]{${length}}`
}

function describeClass(first: number, last: number): string {
  return first === last ? String(first) : `[${first}-${last}]`
}

function isAll(text: string, digit: string): boolean {
  return [...text].every((one) => one === digit)
}
