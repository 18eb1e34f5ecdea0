import { assert } from '../assert.ts'
import { err, ok, type Result } from '../result.ts'
import { encodeUtf8 } from './bytes.ts'
import { isForbiddenKey } from './forbidden-key.ts'
import type { JsonValue } from './json-value.ts'
import { JSON_LIMITS } from './parse-json.ts'
import { toCanonicalText } from './write-json.ts'

export type WriteRefusal = {
  readonly code:
    | 'VALUE_NOT_JSON'
    | 'JSON_LONE_SURROGATE'
    | 'JSON_NEGATIVE_ZERO'
    | 'JSON_DEPTH'
    | 'JSON_FORBIDDEN_KEY'
    | 'BODY_TOO_LARGE'
  /** JSON Pointer to the value concerned; empty for the whole. */
  readonly path: string
  readonly detail: string
}

/**
 * Takes a value from a JavaScript program and gives back the JSON it is, or says why it is none.
 *
 * Nothing is coerced or dropped, no getter and no `toJSON` is called, and the answer is a copy: a
 * caller who changes the value afterwards changes nothing that was checked. Never throws.
 */
export function checkJson(value: unknown): Result<JsonValue, WriteRefusal> {
  const copier = new Copier()
  try {
    const copy = copier.copy(value)
    if (copy !== undefined) return ok(copy)
  } catch {
    // Only a proxy gets here: its traps are the caller's code.
    copier.refuse('VALUE_NOT_JSON', 'reading the value threw')
  }
  assert(copier.refusal !== undefined, 'a copier without a copy has a refusal')
  return err(copier.refusal)
}

/** The same for what somebody sends from inside the process: it is no longer than a body may be. */
export function checkMessage(value: unknown): Result<JsonValue, WriteRefusal> {
  const read = checkJson(value)
  if (!read.ok) return read
  const { bytes } = JSON_LIMITS
  if (encodeUtf8(toCanonicalText(read.value)).length <= bytes) return read
  return err({ code: 'BODY_TOO_LARGE', path: '', detail: `more than ${bytes} bytes` })
}

/**
 * A text has no more values than bytes, so a value of more parts could never be sent. Without this
 * bound, sixty arrays that each hold the next one twice would copy to 2^60.
 */
const MOST_VALUES = JSON_LIMITS.bytes

/** `undefined` is not JSON, so it stands for "refused": then `refusal` is set. */
class Copier {
  refusal: WriteRefusal | undefined = undefined
  /** The arrays and objects around the present value, and the keys that lead to it. */
  private readonly around: object[] = []
  private readonly trail: string[] = []
  private values = 0

  copy(value: unknown): JsonValue | undefined {
    this.values += 1
    if (this.values > MOST_VALUES) {
      return this.refuse('VALUE_NOT_JSON', `more than ${MOST_VALUES} values`)
    }
    switch (typeof value) {
      case 'boolean':
        return value
      case 'string':
        return this.checkString(value)
      case 'number':
        return this.checkNumber(value)
      case 'object':
        return value === null ? null : this.copyContainer(value)
      default:
        return this.refuse('VALUE_NOT_JSON', `a value of type ${typeof value}`)
    }
  }

  refuse(code: WriteRefusal['code'], detail: string): undefined {
    this.refusal = { code, path: formatPointer(this.trail), detail }
  }

  private checkString(text: string): string | undefined {
    return text.isWellFormed() ? text : this.refuse('JSON_LONE_SURROGATE', 'half a surrogate pair')
  }

  private checkNumber(value: number): number | undefined {
    if (!Number.isFinite(value)) return this.refuse('VALUE_NOT_JSON', `the number ${value}`)
    return Object.is(value, -0) ? this.refuse('JSON_NEGATIVE_ZERO', 'negative zero') : value
  }

  private copyContainer(value: object): JsonValue | undefined {
    if (this.around.includes(value)) {
      return this.refuse('VALUE_NOT_JSON', 'the value contains itself')
    }
    if (this.around.length === JSON_LIMITS.depth) {
      return this.refuse('JSON_DEPTH', `nested deeper than ${JSON_LIMITS.depth}`)
    }
    this.around.push(value)
    const copy = Array.isArray(value) ? this.copyArray(value) : this.copyObject(value)
    this.around.pop()
    return copy
  }

  private copyArray(array: readonly unknown[]): JsonValue | undefined {
    if (Object.getPrototypeOf(array) !== Array.prototype) {
      return this.refuse('VALUE_NOT_JSON', 'an array of a class of its own')
    }
    const { length } = array
    const copy: JsonValue[] = []
    for (let i = 0; i < length; i += 1) {
      const item = this.copyMember(array, String(i))
      if (item === undefined) return undefined
      copy.push(item)
    }
    // The items and `length`; anything more would be lost without a word.
    return Reflect.ownKeys(array).length === length + 1
      ? copy
      : this.refuse('VALUE_NOT_JSON', 'an array with properties besides its items')
  }

  private copyObject(object: object): JsonValue | undefined {
    const prototype = Object.getPrototypeOf(object)
    if (prototype !== null && prototype !== Object.prototype) {
      return this.refuse('VALUE_NOT_JSON', 'an object of a class, not a plain one')
    }
    const copy: Record<string, JsonValue> = Object.create(null)
    for (const key of Reflect.ownKeys(object)) {
      if (typeof key === 'symbol') return this.refuse('VALUE_NOT_JSON', 'a symbol as a key')
      if (!key.isWellFormed()) {
        return this.refuse('JSON_LONE_SURROGATE', 'half a surrogate pair in a key')
      }
      if (isForbiddenKey(key)) {
        return this.refuse('JSON_FORBIDDEN_KEY', `key \`${key}\` is not allowed`)
      }
      const member = this.copyMember(object, key)
      if (member === undefined) return undefined
      copy[key] = member
    }
    return copy
  }

  /** Reads the property by its descriptor: a getter is the caller's code and could answer twice. */
  private copyMember(owner: object, key: string): JsonValue | undefined {
    this.trail.push(key)
    const property = Object.getOwnPropertyDescriptor(owner, key)
    const fault = findPropertyFault(property)
    const copy =
      fault === undefined ? this.copy(property?.value) : this.refuse('VALUE_NOT_JSON', fault)
    this.trail.pop()
    return copy
  }
}

function findPropertyFault(property: PropertyDescriptor | undefined): string | undefined {
  if (property === undefined) return 'a hole in an array'
  if (!('value' in property)) return 'a getter or setter'
  return property.enumerable ? undefined : 'a hidden property'
}

function formatPointer(trail: readonly string[]): string {
  return trail.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
