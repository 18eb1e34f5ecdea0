import { assert } from '../assert.ts'
import { utf8 } from './bytes.ts'
import { isObject, type JsonObject, type JsonValue } from './json-value.ts'

export { checkJson, type WriteRefusal } from './check-json.ts'

/** Deeper than anything we build from parsed values; a value that refers to itself ends here. */
const DEEPEST = 512

/**
 * The one text of a value (RFC 8785), for whatever is hashed or signed.
 *
 * For values that our parser made or our code built. Anything else in them is a bug and stops the
 * process: a writer that drops `undefined` or calls `toJSON` signs something nobody meant.
 */
export function canonicalText(value: JsonValue): string {
  return textOf(value, 0)
}

export function canonicalBytes(value: JsonValue): Uint8Array {
  return utf8(canonicalText(value))
}

function textOf(value: JsonValue, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return numberText(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      assert(depth < DEEPEST, 'a value to write ends: it has no cycle')
      return isObject(value) ? objectText(value, depth + 1) : arrayText(value, depth + 1)
    default:
      return notJson(typeof value)
  }
}

function arrayText(array: readonly JsonValue[], depth: number): string {
  let text = '['
  for (let i = 0; i < array.length; i += 1) {
    const item = array[i]
    if (item === undefined) return notJson('undefined')
    if (i > 0) text += ','
    text += textOf(item, depth)
  }
  return `${text}]`
}

function objectText(object: JsonObject, depth: number): string {
  const prototype = Object.getPrototypeOf(object)
  assert(prototype === null || prototype === Object.prototype, 'an object to write is plain')

  let text = '{'
  for (const key of sortedKeys(object)) {
    const member = object[key]
    if (member === undefined) return notJson('undefined')
    if (text.length > 1) text += ','
    text += `${quoted(key)}:${textOf(member, depth)}`
  }
  return `${text}}`
}

/** Above this many keys the built-in sort is faster than insertion. */
const FEW_KEYS = 24

/**
 * By UTF-16 code units, as the RFC says, which is how JavaScript compares strings. Most objects are
 * small or in order already (what was stored canonically comes back so), where insertion is best.
 */
function sortedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object)
  return keys.length > FEW_KEYS ? keys.sort() : insertionSort(keys)
}

function insertionSort(keys: string[]): readonly string[] {
  let sorted = 0
  for (const key of keys) {
    let gap = sorted
    for (; gap > 0; gap -= 1) {
      const before = keys[gap - 1]
      if (before === undefined || before < key) break
      keys[gap] = before
    }
    if (gap !== sorted) keys[gap] = key
    sorted += 1
  }
  return keys
}

function numberText(value: number): string {
  assert(Number.isFinite(value), 'a number to write is finite')
  assert(!Object.is(value, -0), 'a number to write is not negative zero')
  return String(value)
}

function quoted(text: string): string {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return escaped(text)
  }
  return `"${text}"`
}

/** For a single well-formed string, `JSON.stringify` escapes exactly what RFC 8785 escapes. */
function escaped(text: string): string {
  assert(text.isWellFormed(), 'text to write has no half surrogate pairs')
  return JSON.stringify(text)
}

function notJson(type: string): never {
  throw new Error(`invariant broken: a value to write is JSON, not ${type}`)
}
