import { assert } from '../assert.ts'
import { encodeUtf8 } from './bytes.ts'
import { isObject, type JsonObject, type JsonValue } from './json-value.ts'
import { sortKeys } from './sort-keys.ts'

/** Deeper than anything we build from parsed values; a value that refers to itself ends here. */
const DEEPEST = 512

/**
 * The one text of a value (RFC 8785), for whatever is hashed or signed.
 *
 * For values that our parser made or our code built. Anything else in them is a bug and stops the
 * process: a writer that drops `undefined` or calls `toJSON` signs something nobody meant.
 */
export function toCanonicalText(value: JsonValue): string {
  return serialiseValue(value, 0)
}

/**
 * Whether `JSON.stringify` writes just the canonical text: members stand in order, and everything is
 * what it writes as it is. Much of what we write was built or stored so, and it is faster by far.
 */
function isInOrder(value: JsonValue, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'boolean':
      return true
    case 'object':
      if (value === null) return true
      // Objects with these names may be asked to write themselves (`JSON.rawJSON`).
      if (depth >= DEEPEST || 'toJSON' in value || 'rawJSON' in value) return false
      return isObject(value) ? isObjectInOrder(value, depth + 1) : isArrayInOrder(value, depth + 1)
    default:
      return false
  }
}

function isArrayInOrder(array: readonly JsonValue[], depth: number): boolean {
  for (let i = 0; i < array.length; i += 1) {
    const item = array[i]
    if (item === undefined || !isInOrder(item, depth)) return false
  }
  return true
}

function isObjectInOrder(object: JsonObject, depth: number): boolean {
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== null && prototype !== Object.prototype) return false
  let before: string | undefined
  for (const key in object) {
    if (before !== undefined && before >= key) return false
    before = key
    const member = object[key]
    if (member === undefined || !key.isWellFormed() || !isInOrder(member, depth)) return false
  }
  return true
}

/** So near the top it is asked again for each member, where the whole is not in order. */
const NEAR = 2

export function toCanonicalBytes(value: JsonValue): Uint8Array {
  return encodeUtf8(toCanonicalText(value))
}

function serialiseValue(value: JsonValue, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoteText(value)
    case 'number':
      return serialiseNumber(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      assert(depth < DEEPEST, 'a value to write ends: it has no cycle')
      if (depth <= NEAR && isInOrder(value, depth)) return JSON.stringify(value)
      return isObject(value) ? serialiseObject(value, depth + 1) : serialiseArray(value, depth + 1)
    default:
      return throwNotJson(typeof value)
  }
}

function serialiseArray(array: readonly JsonValue[], depth: number): string {
  let text = '['
  for (let i = 0; i < array.length; i += 1) {
    const item = array[i]
    if (item === undefined) return throwNotJson('undefined')
    if (i > 0) text += ','
    text += serialiseValue(item, depth)
  }
  return `${text}]`
}

function serialiseObject(object: JsonObject, depth: number): string {
  const prototype = Object.getPrototypeOf(object)
  assert(prototype === null || prototype === Object.prototype, 'an object to write is plain')

  let text = '{'
  for (const key of sortKeys(Object.keys(object))) {
    const member = object[key]
    if (member === undefined) return throwNotJson('undefined')
    if (text.length > 1) text += ','
    text += `${quoteText(key)}:${serialiseValue(member, depth)}`
  }
  return `${text}}`
}

function serialiseNumber(value: number): string {
  assert(Number.isFinite(value), 'a number to write is finite')
  assert(!Object.is(value, -0), 'a number to write is not negative zero')
  return String(value)
}

function quoteText(text: string): string {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return escapeText(text)
  }
  return `"${text}"`
}

/** For a single well-formed string, `JSON.stringify` escapes exactly what RFC 8785 escapes. */
function escapeText(text: string): string {
  assert(text.isWellFormed(), 'text to write has no half surrogate pairs')
  return JSON.stringify(text)
}

function throwNotJson(type: string): never {
  throw new Error(`invariant broken: a value to write is JSON, not ${type}`)
}
