/**
 * Reads patterns of decimals as schemas write them: `^[0-9]{1,9}\.[0-9]{2}$`, `^(0|[1-9][0-9]{0,14})$` and the like.
 *
 * Which texts a pattern allows besides is not asked: of a form that is understood, every canonical decimal between
 * `min` and `max` with one of its scales fits. What is not understood is undefined, and bounds nothing.
 */
import type { Decimal } from '../canonical/decimal.ts'
import { GRAMMAR_LIMITS } from './grammar-limits.ts'

/** Which decimals a pattern takes. */
export type DecimalForm = {
  /** Whole digits before the point, at least and at most. */
  readonly whole: readonly [least: number, most: number]
  /** It begins with another digit than zero. */
  readonly positive: boolean
  /** It may have a sign. */
  readonly signed: boolean
  /** Digits behind the point, at least and at most; null: there is no point. */
  readonly fraction: readonly [least: number, most: number] | null
  /** It may be without the point. */
  readonly optional: boolean
}

const MANY = GRAMMAR_LIMITS.wholeDigits

export function parseDecimalForm(pattern: string): DecimalForm | undefined {
  const reader = new PatternReader(pattern)
  if (!reader.take('^')) return undefined
  const signed = reader.take('-?')
  const whole = readWhole(reader)
  if (whole === undefined) return undefined
  const fraction = readFraction(reader)
  if (fraction === undefined || !reader.take('$') || !reader.isDone()) return undefined
  // Then what it takes is two ranges, one on each side of zero.
  if (signed && (whole.whole[0] > 1 || whole.positive)) return undefined
  return { ...whole, signed, ...fraction }
}

/** The least and the largest of its decimals with so many digits behind the point. */
export function getFormRange(
  { whole: [least, most], positive, signed }: DecimalForm,
  scale: number,
): { readonly min: Decimal; readonly max: Decimal } {
  const unit = 10n ** BigInt(scale)
  const max = { digits: 10n ** BigInt(most) * unit - 1n, scale }
  if (signed) return { min: { digits: -max.digits, scale }, max }
  const first = least > 1 ? 10n ** BigInt(least - 1) : positive ? 1n : 0n
  return { min: { digits: first * unit, scale }, max }
}

/** Of the scales that it takes the one nearest to what is wanted. */
export function chooseFormScale({ fraction, optional }: DecimalForm, wanted: number): number {
  if (fraction === null || (optional && wanted === 0)) return 0
  const [least, most] = fraction
  return Math.min(Math.max(wanted, least), most)
}

type Whole = Pick<DecimalForm, 'whole' | 'positive'>

function readWhole(reader: PatternReader): Whole | undefined {
  for (const [open, close] of [
    ['(?:0|', ')'],
    ['(0|', ')'],
  ] as const)
    if (reader.take(open)) {
      const rest = readPositive(reader)
      return rest !== undefined && reader.take(close) ? { ...rest, positive: false } : undefined
    }
  const positive = readPositive(reader)
  if (positive !== undefined) return positive
  if (reader.take('0')) return { whole: [1, 0], positive: false }
  const whole = reader.takeDigits()
  return whole === undefined || whole[1] === 0 ? undefined : { whole, positive: false }
}

function readPositive(reader: PatternReader): Whole | undefined {
  if (!reader.take('[1-9]')) return undefined
  const rest = reader.takeDigits() ?? [0, 0]
  return { whole: [rest[0] + 1, rest[1] + 1], positive: true }
}

function readFraction(
  reader: PatternReader,
): Pick<DecimalForm, 'fraction' | 'optional'> | undefined {
  const isGroup = reader.take('(?:') || reader.take('(')
  const isPoint = reader.take('\\.') || reader.take('[.]')
  if (!isPoint) return isGroup ? undefined : { fraction: null, optional: false }
  const fraction = reader.takeDigits()
  if (fraction === undefined || fraction[1] === 0) return undefined
  if (!isGroup) return { fraction, optional: false }
  if (!reader.take(')')) return undefined
  return { fraction, optional: reader.take('?') }
}

class PatternReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isDone(): boolean {
    return this.#at === this.#text.length
  }

  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** A class of all digits and how many of them there are; undefined: it stands not here, or is not understood. */
  takeDigits(): readonly [least: number, most: number] | undefined {
    if (!this.take('[0-9]') && !this.take('\\d')) return undefined
    if (this.take('+')) return [1, MANY]
    if (this.take('*')) return [0, MANY]
    if (this.take('?')) return [0, 1]
    if (!this.take('{')) return [1, 1]
    const least = this.#takeNumber()
    if (least === undefined) return undefined
    if (this.take('}')) return [least, least]
    if (!this.take(',')) return undefined
    if (this.take('}')) return [least, Math.max(MANY, least)]
    const most = this.#takeNumber()
    if (most === undefined || most < least || !this.take('}')) return undefined
    return [least, Math.min(most, Math.max(MANY, least))]
  }

  #takeNumber(): number | undefined {
    const start = this.#at
    while (DIGITS.includes(this.#text[this.#at] ?? ' ')) this.#at += 1
    const digits = this.#text.slice(start, this.#at)
    return digits === '' || digits.length > 3 ? undefined : Number(digits)
  }
}

const DIGITS = '0123456789'
