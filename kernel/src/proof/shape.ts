/**
 * Shapes of documents that come from a file: which members, of which form.
 *
 * A shape says what is wrong, or undefined. It is asked by `parse*` functions only, which then may
 * call the value by its type.
 */
import { isAddress } from '../canonical/address.ts'
import { unbase64 } from '../canonical/bytes.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'

export type Shape = (value: JsonValue) => string | undefined
export type Shapes = Readonly<Record<string, Shape>>

const HEX_HASH_LENGTH = 64
const INSTANT_LENGTH = 24

function rule(wants: string, holds: (value: JsonValue) => boolean): Shape {
  return (value) => (holds(value) ? undefined : `is not ${wants}`)
}

function textRule(wants: string, holds: (text: string) => boolean): Shape {
  return rule(wants, (value) => typeof value === 'string' && holds(value))
}

export const anything: Shape = () => undefined
export const text: Shape = rule('a text', (value) => typeof value === 'string')
export const flag: Shape = rule('true or false', (value) => typeof value === 'boolean')
export const count: Shape = rule(
  'a count',
  (value) => Number.isSafeInteger(value) && isNatural(value),
)
export const object: Shape = rule('an object', isObject)
export const identifier: Shape = textRule('an identifier', isIdentifier)
export const address: Shape = textRule('an address', isAddress)
export const instant: Shape = textRule('a time in UTC with milliseconds', isInstant)
export const hexHash: Shape = textRule('a hash in hex', isHexHash)
export const base64: Shape = textRule('base64', (value) => unbase64(value) !== undefined)

export function oneOf(words: readonly JsonValue[]): Shape {
  return rule(`one of ${words.join(', ')}`, (value) => words.includes(value))
}

export function nullOr(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value))
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return 'is not a list'
    const items: readonly JsonValue[] = value
    for (const [i, item] of items.entries()) {
      const problem = shape(item)
      if (problem !== undefined) return nested(String(i), problem)
    }
    return undefined
  }
}

/** The first that fits; what is wrong is said of the last. */
export function either(...shapes: readonly Shape[]): Shape {
  return (value) => {
    let problem: string | undefined
    for (const shape of shapes) {
      problem = shape(value)
      if (problem === undefined) return undefined
    }
    return problem
  }
}

/** Exactly these members: one that is not known could mean something to somebody else. */
export function members(required: Shapes, optional: Shapes = {}): Shape {
  const all = new Map([...Object.entries(required), ...Object.entries(optional)])
  return (value) => {
    const missing = isObject(value)
      ? Object.keys(required).find((name) => !Object.hasOwn(value, name))
      : undefined
    if (missing !== undefined) return `has no \`${missing}\``
    return eachMember(value, (name) => all.get(name))
  }
}

/** At least these members, and any others: for documents that a hash and a signature cover. */
export function having(required: Shapes): Shape {
  return (value) => {
    if (!isObject(value)) return 'is not an object'
    for (const [name, shape] of Object.entries(required)) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined
      const problem = member === undefined ? 'is missing' : shape(member)
      if (problem !== undefined) return nested(name, problem)
    }
    return undefined
  }
}

/** Any members, each of this form. */
export function mapOf(shape: Shape): Shape {
  return (value) => eachMember(value, () => shape)
}

function eachMember(
  value: JsonValue,
  shapeOf: (name: string) => Shape | undefined,
): string | undefined {
  if (!isObject(value)) return 'is not an object'
  for (const [name, member] of Object.entries(value)) {
    const shape = shapeOf(name)
    if (shape === undefined) return `has an unknown member \`${name}\``
    const problem = shape(member)
    if (problem !== undefined) return nested(name, problem)
  }
  return undefined
}

function nested(name: string, problem: string): string {
  return `\`${name}\` ${problem}`
}

function isNatural(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 0
}

/** One spelling: comparing the texts compares the times. */
function isInstant(value: string): boolean {
  return value.length === INSTANT_LENGTH && parseInstant(value) !== undefined
}

function isHexHash(value: string): boolean {
  return value.length === HEX_HASH_LENGTH && isAddress(`sha256:${value}`)
}
