/** Readers of single values. */
import {
  compareDecimal,
  type Decimal,
  formatDecimal,
  parseDecimal,
  toDecimal,
} from '../canonical/decimal.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { formatInstant, parseInstant } from '../canonical/time.ts'
import { isBlank } from '../context/is-blank.ts'
import { LIMITS } from '../limits.ts'
import { findPersonNameProblem } from '../person/person-name.ts'
import { convertDottedName, parsePointer } from '../proposal/pointer.ts'
import { describeValue, type Place, type Read } from './reader.ts'
import { isSemver } from './semver.ts'

/** Any text that says something. It is kept as written and shown escaped. */
export const freeText: Read<string> = (value, place) => {
  if (typeof value !== 'string') return refuseWithStandIn(place, value, 'text', '')
  if (isBlank(value)) place.refuse('must not be blank')
  if (value.length > LIMITS.justificationLength) {
    place.refuse(`is longer than ${LIMITS.justificationLength} characters`)
  }
  return value
}

export const readIdentifier: Read<string> = (value, place) => {
  if (typeof value === 'string' && isIdentifier(value)) return value
  return refuseWithStandIn(
    place,
    value,
    'an identifier (letters, digits and `._:@-`, at most 128)',
    '',
  )
}

/** Of a person: what the names of others begin with would be read as theirs. */
export const readPersonName: Read<string> = (value, place) =>
  checkPersonName(freeText(value, place), place)

export const readPersonIdentifier: Read<string> = (value, place) =>
  checkPersonName(readIdentifier(value, place), place)

function checkPersonName(name: string, place: Place): string {
  const problem = isBlank(name) ? undefined : findPersonNameProblem(name)
  if (problem !== undefined) place.refuse(problem)
  return name
}

/** A path into the parameters. */
export const readPointer: Read<string> = (value, place) => {
  if (typeof value === 'string' && parsePointer(value) !== undefined) return value
  if (typeof value !== 'string' || !isIdentifier(value))
    return refuseWithStandIn(place, value, 'a JSON pointer like `/order/quantity`', '')
  place.refuse(
    `${describeValue(value)} is not a JSON pointer: write ${describeValue(convertDottedName(value))}`,
  )
  return ''
}

export const readVersion: Read<string> = (value, place) => {
  if (typeof value === 'string' && isSemver(value)) return value
  return refuseWithStandIn(place, value, 'a version like `1.2.0`', '')
}

/** Written in one spelling, so that the order of texts is the order of times. */
export const readInstant: Read<string> = (value, place) => {
  const ms = typeof value === 'string' ? parseInstant(value) : undefined
  if (ms !== undefined) return formatInstant(ms)
  return refuseWithStandIn(place, value, 'a date or a UTC time like `2026-02-01T09:30:00Z`', '')
}

export const readFlag: Read<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : refuseWithStandIn(place, value, '`true` or `false`', false)

/** A whole number. Written as a number, not as text: `"3"` may be somebody's identifier. */
export function count(least: number): Read<number> {
  return (value, place) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
    return refuseWithStandIn(place, value, `a whole number of at least ${least}`, least)
  }
}

export function createChoiceReader<T extends string>(first: T, ...others: readonly T[]): Read<T> {
  const all = [first, ...others]
  const wanted = `one of ${all.map((one) => `\`${one}\``).join(', ')}`
  return (value, place) =>
    all.find((one) => one === value) ?? refuseWithStandIn(place, value, wanted, first)
}

const ZERO: Decimal = { digits: 0n, scale: 0 }
const ONE: Decimal = { digits: 1n, scale: 0 }

/** Canonical decimal text, from text or from a JSON number at its shortest form. */
export const readDecimal: Read<string> = (value, place) =>
  readDecimalBetween(value, place, undefined, undefined, 'a decimal number')

export const readPositiveOrZero: Read<string> = (value, place) =>
  readDecimalBetween(value, place, ZERO, undefined, 'a decimal number of at least 0')

export const readConfidence: Read<string> = (value, place) =>
  readDecimalBetween(value, place, ZERO, ONE, 'a decimal number between 0 and 1')

function readDecimalBetween(
  value: JsonValue | undefined,
  place: Place,
  least: Decimal | undefined,
  most: Decimal | undefined,
  wanted: string,
): string {
  const given = value === undefined ? undefined : toDecimal(value)
  if (given === undefined) return refuseWithStandIn(place, value, wanted, '0')
  const tooSmall = least !== undefined && compareDecimal(given, least) < 0
  const tooLarge = most !== undefined && compareDecimal(given, most) > 0
  const text = formatDecimal(given)
  // The text is what is stored and read again; `1e300` would not be readable as a decimal.
  const storable = parseDecimal(text) !== undefined
  return tooSmall || tooLarge || !storable ? refuseWithStandIn(place, value, wanted, '0') : text
}

function refuseWithStandIn<T>(
  place: Place,
  value: JsonValue | undefined,
  wanted: string,
  standIn: T,
): T {
  place.refuseValue(value, wanted)
  return standIn
}
