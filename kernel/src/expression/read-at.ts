/** Reading at JSON pointers, own members only: `constructor` is not a parameter. */
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { getOwn } from '../contract/own.ts'
import { parsePointer } from '../proposal/pointer.ts'

/** A pointer, or the empty text for the whole; undefined for what is neither. */
export function parsePlace(text: string): readonly string[] | undefined {
  return text === '' ? [] : parsePointer(text)
}

/** Undefined where nothing stands at that place. */
export function readAt(root: JsonValue, text: string): JsonValue | undefined {
  return readNames(root, parsePlace(text))
}

/** The same, for a pointer that was parsed. */
export function readNames(
  root: JsonValue,
  names: readonly string[] | undefined,
): JsonValue | undefined {
  if (names === undefined) return undefined
  let value: JsonValue | undefined = root
  for (const name of names) {
    value = stepInto(value, name)
    if (value === undefined) return undefined
  }
  return value
}

export function stepInto(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return isIndex(name) ? value[Number(name)] : undefined
  return isObject(value) ? getOwn(value, name) : undefined
}

const DIGITS = '0123456789'

/** Digits without a leading zero, and few of them. */
function isIndex(name: string): boolean {
  if (name === '0') return true
  if (name === '' || name.length > 9 || name.startsWith('0')) return false
  return [...name].every((digit) => DIGITS.includes(digit))
}
