/** Narrows a place to a range: numbers by their ends, decimals in texts by their scale, listed values one by one. */
import { compareDecimal, type Decimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { chooseLarger, chooseSmaller } from '../expression/number.ts'
import { chooseFormScale, getFormRange, parseDecimalForm } from './decimal-form.ts'
import { toMinorRange } from './decimal-range.ts'
import { GRAMMAR_LIMITS } from './grammar-limits.ts'
import type { Narrowed } from './narrow-node.ts'
import type { GrammarNode, TextNode } from './node.ts'

/** Both ends are inside; null: there is none. */
export type DecimalRange = { readonly min: Decimal | null; readonly max: Decimal | null }

export function narrowRange(node: GrammarNode, range: DecimalRange): Narrowed {
  switch (node.kind) {
    case 'values': {
      const values = node.values.filter((value) => isInside(value, range))
      return values.length === 0 ? 'empty' : { kind: 'values', values }
    }
    case 'integer':
      return narrowInteger(node, range)
    case 'number':
      return narrowNumber(node, range)
    case 'decimal':
      return narrowDecimal(node, range)
    case 'text':
      return narrowText(node, range)
    case 'object':
    case 'list':
      return 'empty'
    case 'choice':
      return 'unsaid'
  }
}

function isInside(value: JsonValue, { min, max }: DecimalRange): boolean {
  const decimal = toDecimal(value)
  if (decimal === undefined) return false
  if (min !== null && compareDecimal(decimal, min) < 0) return false
  return max === null || compareDecimal(decimal, max) <= 0
}

type NodeOf<K extends GrammarNode['kind']> = Extract<GrammarNode, { readonly kind: K }>

function narrowInteger(node: NodeOf<'integer'>, range: DecimalRange): Narrowed {
  const whole = intersect({ digits: node.min, scale: 0 }, { digits: node.max, scale: 0 }, range)
  const { min, max } = toMinorRange(whole.min, whole.max, 0)
  return min > max ? 'empty' : { kind: 'integer', min, max }
}

function narrowNumber(node: NodeOf<'number'>, range: DecimalRange): Narrowed {
  const min = chooseEnd(node.min, range.min, chooseLarger)
  const max = chooseEnd(node.max, range.max, chooseSmaller)
  const isEmpty = min !== null && max !== null && compareDecimal(min, max) > 0
  return isEmpty ? 'empty' : { kind: 'number', min, max }
}

function chooseEnd(
  a: Decimal | null,
  b: Decimal | null,
  choose: (a: Decimal, b: Decimal) => Decimal,
): Decimal | null {
  if (a === null || b === null) return a ?? b
  return choose(a, b)
}

function narrowDecimal(node: NodeOf<'decimal'>, range: DecimalRange): Narrowed {
  const { min, max } = intersect(node.min, node.max, range)
  const units = toMinorRange(min, max, node.scale)
  return units.min > units.max ? 'empty' : { ...node, min, max }
}

/** A text is a decimal from here on, of one scale. */
function narrowText(node: TextNode, range: DecimalRange): Narrowed {
  const wanted = chooseScale(range)
  if (node.pattern === undefined) return narrowPlainText(node, wanted, range)
  const form = node.isLengthStated ? undefined : parseDecimalForm(node.pattern)
  if (form === undefined) return 'unsaid'
  const scale = chooseFormScale(form, wanted)
  if (scale > GRAMMAR_LIMITS.scaleMost) return 'unsaid'
  return narrowDecimal({ kind: 'decimal', scale, ...getFormRange(form, scale) }, range)
}

function narrowPlainText(node: TextNode, scale: number, range: DecimalRange): Narrowed {
  const behind = scale + 1
  const stated = node.isLengthStated ? node.max - behind : GRAMMAR_LIMITS.wholeDigits
  const digits = Math.min(stated, GRAMMAR_LIMITS.wholeDigits)
  // A sign takes one of the characters, and a text that must be long is no number of any kind.
  if (digits < 2 || node.min > behind + 1) return 'unsaid'
  const most = 10n ** BigInt(digits) * 10n ** BigInt(scale) - 1n
  const least = -(10n ** BigInt(digits - 1) * 10n ** BigInt(scale) - 1n)
  const ends = { min: { digits: least, scale }, max: { digits: most, scale } }
  return narrowDecimal({ kind: 'decimal', scale, ...ends }, range)
}

/** Behind the point so many digits that the range has some hundreds of steps, and not fewer than amounts usually have. */
function chooseScale({ min, max }: DecimalRange): number {
  const { scale: least, scaleMost: most } = GRAMMAR_LIMITS
  if (max === null) return Math.min(Math.max(least, min?.scale ?? least), most)
  const isFine = (scale: number): boolean => {
    const units = toMinorRange(min ?? max, max, scale)
    const far = [units.max, -units.min].some((end) => end >= STEPS)
    return units.min <= units.max && (far || max.digits === 0n)
  }
  let scale: number = least
  while (scale < most && !isFine(scale)) scale += 1
  return scale
}

const STEPS = 1_000n

function intersect(
  min: Decimal,
  max: Decimal,
  range: DecimalRange,
): { readonly min: Decimal; readonly max: Decimal } {
  return {
    min: range.min === null ? min : chooseLarger(min, range.min),
    max: range.max === null ? max : chooseSmaller(max, range.max),
  }
}
