/**
 * How far the outside has moved since the agent looked, field by field.
 *
 * Nothing is rounded where it decides: bounds are compared by multiplication. Only what is shown is
 * rounded, and upwards, so that a report never understates a movement.
 */
import { assert, assertUnreachable } from '../assert.ts'
import {
  compareDecimal,
  type Decimal,
  divideUp,
  formatDecimal,
  isWithinPercent,
  multiplyDecimal,
  parseDecimal,
  subtractDecimal,
  toDecimal,
  toMagnitude,
} from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { type Bound, type JitField, listBounds } from './envelope.ts'

/** Rounded up, at most 6 decimals; null where a value is no number, or there is no percentage. */
export type Moved = { readonly percent: string | null; readonly absolute: string | null }

/** `Moved` stands in it when both values are there. */
export type FieldReport = {
  readonly field: string
  readonly path: string
  /** What the agent was shown; null when it was not. */
  readonly was: JsonValue | null
  readonly is: JsonValue | null
  /** Of the value that is. */
  readonly age_ms: number | null
  readonly bounds: readonly Bound[]
  readonly within: boolean
} & Partial<Moved>

/** A value and when it was so. */
export type Observed = { readonly value: JsonValue; readonly observed_at: string }

export type DriftInput = {
  readonly now: string
  readonly fields: Readonly<Record<string, JitField>>
  /** The contract's. */
  readonly envelope: Readonly<Record<string, string>>
  /** The proposal's `execution_constraints`. */
  readonly constraints: JsonObject
  was(path: string): Observed | undefined
  is(path: string): Observed | undefined
}

/** One report for each field, in the order of their names. */
export function measureDrift(input: DriftInput): readonly FieldReport[] {
  return Object.entries(input.fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => measureField(name, field, input))
}

function measureField(field: string, { path, kind }: JitField, input: DriftInput): FieldReport {
  const was = input.was(path)
  const is = input.is(path)
  const bounds = listBounds(field, kind, input.envelope, input.constraints)
  return {
    field,
    path,
    was: was === undefined ? null : was.value,
    is: is === undefined ? null : is.value,
    age_ms: is === undefined ? null : computeAge(is, input.now),
    ...(was === undefined || is === undefined ? {} : measureMove(was.value, is.value)),
    bounds,
    within: bounds.every((bound) => isWithinBound(bound, was?.value, is?.value)),
  }
}

function computeAge({ observed_at }: Observed, now: string): number | null {
  const at = parseInstant(observed_at)
  const present = parseInstant(now)
  return at === undefined || present === undefined ? null : present - at
}

/**
 * Whether a bound holds between two values. A value that is missing may have moved anywhere.
 *
 * Numbers are compared as numbers, also under `strict`: a source that writes `100.0` where it wrote
 * 100 has not moved. Of what is not a number nobody can say how far it moved, so that it holds only
 * unchanged, in canonical form.
 */
export function isWithinBound(
  bound: Bound,
  was: JsonValue | undefined,
  is: JsonValue | undefined,
): boolean {
  if (was === undefined || is === undefined) return false
  const from = toDecimal(was)
  const to = toDecimal(is)
  if (from === undefined || to === undefined) return toCanonicalText(was) === toCanonicalText(is)
  switch (bound.kind) {
    case 'strict':
      return compareDecimal(from, to) === 0
    case 'percent':
      return isWithinPercent(from, to, parseLimit(bound.limit))
    case 'absolute':
      return compareDecimal(computeDistance(from, to), parseLimit(bound.limit)) <= 0
    default:
      return assertUnreachable(bound)
  }
}

function parseLimit(text: string): Decimal {
  const limit = parseDecimal(text)
  assert(limit !== undefined, 'the limit of a bound is decimal text')
  return limit
}

const SHOWN_PLACES = 6
const ONE: Decimal = { digits: 1n, scale: 0 }
const HUNDRED: Decimal = { digits: 100n, scale: 0 }

function measureMove(was: JsonValue, is: JsonValue): Moved {
  const from = toDecimal(was)
  const to = toDecimal(is)
  if (from === undefined || to === undefined) return { percent: null, absolute: null }
  const moved = computeDistance(from, to)
  const hundredfold = multiplyDecimal(moved, HUNDRED)
  return {
    percent: from.digits === 0n ? null : shareUp(hundredfold, toMagnitude(from)),
    absolute: shareUp(moved, ONE),
  }
}

function shareUp(part: Decimal, whole: Decimal): string {
  return formatDecimal(divideUp(part, whole, SHOWN_PLACES))
}

function computeDistance(from: Decimal, to: Decimal): Decimal {
  return toMagnitude(subtractDecimal(to, from))
}
