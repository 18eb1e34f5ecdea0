import { assert } from '../assert.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import { decodeUtf8 } from './bytes.ts'
import { JsonReader } from './json-reader.ts'
import type { JsonValue } from './json-value.ts'

export type JsonRefusal =
  | 'BODY_TOO_LARGE'
  | 'BODY_NOT_UTF8'
  | 'JSON_SYNTAX'
  | 'JSON_DEPTH'
  | 'JSON_TOO_MANY_KEYS'
  | 'JSON_DUPLICATE_KEY'
  | 'JSON_FORBIDDEN_KEY'
  | 'JSON_LONE_SURROGATE'
  | 'JSON_NEGATIVE_ZERO'
  | 'JSON_NUMBER_RANGE'
  | 'JSON_NUMBER_PRECISION'

export type JsonProblem = {
  readonly code: JsonRefusal
  /** UTF-16 offset into the decoded text; 0 where there is no text to point into. */
  readonly at: number
  readonly detail: string
}

export type JsonLimits = {
  /** How many arrays and objects may enclose one another. */
  readonly depth: number
  /** Size of the whole text in UTF-8. */
  readonly bytes: number
  /** Keys of all objects of the text together. */
  readonly keys: number
  /**
   * `nearest`: a number that a double cannot hold is the nearest that it can. For documents of which no number is
   * relied on to the last digit; never for what is decided on.
   */
  readonly numbers?: 'exact' | 'nearest'
}

export const JSON_LIMITS: JsonLimits = LIMITS.json

/** The reader recurses once a level; far above any sensible limit, far below the call stack. */
const DEEPEST_LIMIT = 512
const BYTE_ORDER_MARK = 0xfeff

/**
 * Reads JSON so that no two readers of the same bytes can disagree on what they say.
 *
 * Refused, each with its own code: what JSON allows but readers resolve differently (duplicate
 * keys, lone surrogates, negative zero, numbers that a double cannot hold), what JavaScript would
 * misuse (forbidden keys), and what costs more than it is worth (size, depth, number of keys).
 * The first problem in reading order is the answer. Never throws on input.
 */
export function parseJson(
  input: Uint8Array | string,
  limits: JsonLimits = JSON_LIMITS,
): Result<JsonValue, JsonProblem> {
  assert(limits.depth <= DEEPEST_LIMIT, 'the depth limit of JSON fits the call stack')

  // Size first: nothing else may be spent on a body that is too large.
  if (isLongerThan(input, limits.bytes)) {
    return refuseJson('BODY_TOO_LARGE', `more than ${limits.bytes} bytes`)
  }
  const text = typeof input === 'string' ? input : decodeUtf8(input)
  if (text === undefined) return refuseJson('BODY_NOT_UTF8', 'the bytes are not UTF-8')
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) {
    return refuseJson('BODY_NOT_UTF8', 'a byte order mark stands before the text')
  }
  // Bytes that decode are well formed; a string that a program hands in need not be.
  if (!text.isWellFormed()) return refuseJson('JSON_LONE_SURROGATE', 'half a surrogate pair')

  const reader = new JsonReader(text, limits)
  const value = reader.readDocument()
  if (value !== undefined) return ok(value)
  assert(reader.problem !== undefined, 'a reader without a value has a problem')
  return err(reader.problem)
}

function refuseJson(code: JsonRefusal, detail: string): Result<never, JsonProblem> {
  return err({ code, at: 0, detail })
}

function isLongerThan(input: Uint8Array | string, bytes: number): boolean {
  if (input.length > bytes) return true
  if (typeof input !== 'string' || input.length * 3 <= bytes) return false
  return countUtf8Bytes(input) > bytes
}

function countUtf8Bytes(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    // A surrogate pair is two units and four bytes: two bytes a unit.
    length += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2
  }
  return length
}
