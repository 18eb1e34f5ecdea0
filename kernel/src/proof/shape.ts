/**
 * Shapes of documents that come from a file: which members, of which form.
 *
 * A shape says what is wrong, or undefined. It is asked by `parse*` functions only, which then may
 * call the value by its type.
 */
import { isAddress } from '../canonical/address.ts'
import { decodeBase64 } from '../canonical/bytes.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { isExactInstant } from '../canonical/time.ts'

export type Shape = (value: JsonValue) => string | undefined
export type Shapes = Readonly<Record<string, Shape>>

function createShape(wants: string, holds: (value: JsonValue) => boolean): Shape {
  const problem = `is not ${wants}`
  return (value) => (holds(value) ? undefined : problem)
}

/** One call a text: a ledger has a hundred of them in every entry. */
function textRule(wants: string, holds: (text: string) => boolean): Shape {
  const problem = `is not ${wants}`
  return (value) => (typeof value === 'string' && holds(value) ? undefined : problem)
}

export const acceptAnything: Shape = () => undefined
export const text: Shape = createShape('a text', (value) => typeof value === 'string')
export const flag: Shape = createShape('true or false', (value) => typeof value === 'boolean')
export const count: Shape = createShape(
  'a count',
  (value) => Number.isSafeInteger(value) && isNatural(value),
)
export const object: Shape = createShape('an object', isObject)
export const identifier: Shape = textRule('an identifier', isIdentifier)
export const address: Shape = textRule('an address', isAddress)
export const instant: Shape = textRule('a time in UTC with milliseconds', isExactInstant)
export const hexHash: Shape = textRule('a hash in hex', isHexHash)
export const base64: Shape = textRule('base64', (value) => decodeBase64(value) !== undefined)

export function createEnumShape(words: readonly JsonValue[]): Shape {
  return createShape(`one of ${words.join(', ')}`, (value) => words.includes(value))
}

export function createNullableShape(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value))
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return 'is not a list'
    const items: readonly JsonValue[] = value
    for (let i = 0; i < items.length; i += 1) {
      const problem = shape(items[i] ?? null)
      if (problem !== undefined) return wrapProblem(String(i), problem)
    }
    return undefined
  }
}

/** The first that fits; what is wrong is said of the last. */
export function createUnionShape(...shapes: readonly Shape[]): Shape {
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
export function createExactShape(required: Shapes, optional: Shapes = {}): Shape {
  const all = new Map([...Object.entries(required), ...Object.entries(optional)])
  const names = Object.keys(required)
  return (value) => {
    if (!isObject(value)) return 'is not an object'
    const problem = findMemberProblem(value, all)
    const given = Object.keys(value).length
    // Whether one is missing has to be asked only where the number does not say so.
    if (problem === undefined && given === all.size) return undefined
    for (const name of names) if (!Object.hasOwn(value, name)) return `has no \`${name}\``
    return problem
  }
}

/** At least these members, and any others: for documents that a hash and a signature cover. */
export function createOpenShape(required: Shapes, optional: Shapes = {}): Shape {
  const shapes = Object.entries(required)
  const known = Object.entries(optional)
  return (value) => {
    if (!isObject(value)) return 'is not an object'
    const given = known.filter(([name]) => Object.hasOwn(value, name))
    for (const [name, shape] of given.length === 0 ? shapes : [...shapes, ...given]) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined
      const problem = member === undefined ? 'is missing' : shape(member)
      if (problem !== undefined) return wrapProblem(name, problem)
    }
    return undefined
  }
}

/** Any members, each of this form. */
export function createMapShape(shape: Shape): Shape {
  return (value) => {
    if (!isObject(value)) return 'is not an object'
    for (const [name, member] of Object.entries(value)) {
      const problem = shape(member)
      if (problem !== undefined) return wrapProblem(name, problem)
    }
    return undefined
  }
}

function findMemberProblem(
  value: JsonObject,
  shapes: ReadonlyMap<string, Shape>,
): string | undefined {
  for (const name of Object.keys(value)) {
    const shape = shapes.get(name)
    if (shape === undefined) return `has an unknown member \`${name}\``
    const problem = shape(value[name] ?? null)
    if (problem !== undefined) return wrapProblem(name, problem)
  }
  return undefined
}

function wrapProblem(name: string, problem: string): string {
  return `\`${name}\` ${problem}`
}

function isNatural(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 0
}

function isHexHash(value: string): boolean {
  return HEX_HASH.test(value)
}

const HEX_HASH = /^[0-9a-f]{64}$/
