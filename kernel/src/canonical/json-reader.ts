import { isForbiddenKey } from './forbidden-key.ts'
import { decodeEscape, escapeLength } from './json-escape.ts'
import type { JsonValue } from './json-value.ts'
import { isExact, splitNumeral } from './numeral.ts'
import type { JsonLimits, JsonProblem, JsonRefusal } from './parse-json.ts'

const QUOTE = 0x22
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const UPPER_E = 0x45
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74

/** Up to so many digits every decimal survives the way through a double. */
const SAFE_DIGITS = 15

/**
 * One pass over a well-formed text, by character codes.
 *
 * Each method reads one thing from `at` on, and leaves `at` behind it. `undefined` is not JSON, so
 * it stands for "refused": then `problem` is set and every caller returns at once.
 */
export class JsonReader {
  problem: JsonProblem | undefined = undefined
  private readonly text: string
  private readonly limits: JsonLimits
  private at = 0
  private keys = 0

  constructor(text: string, limits: JsonLimits) {
    this.text = text
    this.limits = limits
  }

  readDocument(): JsonValue | undefined {
    const value = this.readValue(0)
    if (value === undefined) return undefined
    if (Number.isNaN(this.skipSpace())) return value
    return this.refuse('JSON_SYNTAX', 'text after the end of the value')
  }

  private readValue(depth: number): JsonValue | undefined {
    const code = this.skipSpace()
    switch (code) {
      case QUOTE:
        return this.readString()
      case OPEN_OBJECT:
        return this.readObject(depth)
      case OPEN_ARRAY:
        return this.readArray(depth)
      case LOWER_T:
        return this.readLiteral('true', true)
      case LOWER_F:
        return this.readLiteral('false', false)
      case LOWER_N:
        return this.readLiteral('null', null)
      default:
        if (code === MINUS || isDigit(code)) return this.readNumber()
        return this.refuse('JSON_SYNTAX', 'expected a value')
    }
  }

  private readObject(depth: number): JsonValue | undefined {
    if (depth === this.limits.depth) return this.refuseDepth()
    const object: Record<string, JsonValue> = Object.create(null)

    this.at += 1
    if (this.skipSpace() === CLOSE_OBJECT) return this.close(object)
    for (;;) {
      const key = this.readKey(object)
      if (key === undefined) return undefined
      if (this.skipSpace() !== COLON) return this.refuse('JSON_SYNTAX', 'expected `:`')
      this.at += 1
      const value = this.readValue(depth + 1)
      if (value === undefined) return undefined
      object[key] = value

      const code = this.skipSpace()
      if (code === CLOSE_OBJECT) return this.close(object)
      if (code !== COMMA) return this.refuse('JSON_SYNTAX', 'expected `,` or `}`')
      this.at += 1
      this.skipSpace()
    }
  }

  private readKey(siblings: Readonly<Record<string, JsonValue>>): string | undefined {
    const start = this.at
    if (this.text.charCodeAt(start) !== QUOTE) {
      return this.refuse('JSON_SYNTAX', 'expected a key in double quotes')
    }
    const key = this.readString()
    if (key === undefined) return undefined

    this.keys += 1
    if (this.keys > this.limits.keys) {
      return this.refuse('JSON_TOO_MANY_KEYS', `more than ${this.limits.keys} keys`, start)
    }
    if (isForbiddenKey(key)) {
      return this.refuse('JSON_FORBIDDEN_KEY', `key \`${key}\` is not allowed`, start)
    }
    // Compared after unescaping: `"a"` and `"\u0061"` are one key to whoever reads the object.
    if (key in siblings) return this.refuse('JSON_DUPLICATE_KEY', 'the key is given twice', start)
    return key
  }

  private readArray(depth: number): JsonValue | undefined {
    if (depth === this.limits.depth) return this.refuseDepth()
    const array: JsonValue[] = []

    this.at += 1
    if (this.skipSpace() === CLOSE_ARRAY) return this.close(array)
    for (;;) {
      const value = this.readValue(depth + 1)
      if (value === undefined) return undefined
      array.push(value)

      const code = this.skipSpace()
      if (code === CLOSE_ARRAY) return this.close(array)
      if (code !== COMMA) return this.refuse('JSON_SYNTAX', 'expected `,` or `]`')
      this.at += 1
    }
  }

  private readLiteral(word: string, value: JsonValue): JsonValue | undefined {
    if (!this.text.startsWith(word, this.at)) return this.refuse('JSON_SYNTAX', 'expected a value')
    this.at += word.length
    return value
  }

  private readString(): string | undefined {
    const start = this.at + 1
    for (let i = start; i < this.text.length; i += 1) {
      const code = this.text.charCodeAt(i)
      if (code === QUOTE) {
        this.at = i + 1
        return this.text.slice(start, i)
      }
      if (code === BACKSLASH) return this.readEscapedString(start, i)
      if (code < 0x20) return this.refuse('JSON_SYNTAX', 'control character in a string', i)
    }
    return this.refuse('JSON_SYNTAX', 'string without an end')
  }

  private readEscapedString(start: number, firstEscape: number): string | undefined {
    let decoded = ''
    let plain = start
    let i = firstEscape
    while (i < this.text.length) {
      const code = this.text.charCodeAt(i)
      if (code < 0x20) return this.refuse('JSON_SYNTAX', 'control character in a string', i)
      if (code === QUOTE) {
        decoded += this.text.slice(plain, i)
        // The text holds no half pairs, so half a pair can only come from an escape.
        if (!decoded.isWellFormed()) {
          return this.refuse('JSON_LONE_SURROGATE', 'half a surrogate pair', start - 1)
        }
        this.at = i + 1
        return decoded
      }
      if (code === BACKSLASH) {
        const unit = decodeEscape(this.text, i)
        if (unit === undefined) return this.refuse('JSON_SYNTAX', 'unknown escape', i)
        decoded += this.text.slice(plain, i) + unit
        i += escapeLength(this.text, i)
        plain = i
      } else {
        i += 1
      }
    }
    return this.refuse('JSON_SYNTAX', 'string without an end')
  }

  private readNumber(): number | undefined {
    const start = this.at
    const negative = this.text.charCodeAt(start) === MINUS
    const first = negative ? start + 1 : start
    const end = this.text.charCodeAt(first) === ZERO ? first + 1 : this.findDigitsEnd(first)
    if (end === undefined) return undefined

    const next = this.text.charCodeAt(end)
    if (next === POINT || next === LOWER_E || next === UPPER_E || end - first > SAFE_DIGITS) {
      return this.readLongNumber(start, end)
    }
    let whole = 0
    for (let i = first; i < end; i += 1) whole = whole * 10 + this.text.charCodeAt(i) - ZERO
    if (negative && whole === 0) return this.refuse('JSON_NEGATIVE_ZERO', 'negative zero')
    this.at = end
    return negative ? -whole : whole
  }

  /** A number with a fraction, an exponent, or more digits than a double surely holds. */
  private readLongNumber(start: number, wholeEnd: number): number | undefined {
    const fractionEnd = this.findFractionEnd(wholeEnd)
    if (fractionEnd === undefined) return undefined
    const end = this.findExponentEnd(fractionEnd)
    if (end === undefined) return undefined

    const lexeme = this.text.slice(start, end)
    const value = Number(lexeme)
    // `-1e-400` too: a double makes negative zero of it, and so would whoever reads it next.
    if (Object.is(value, -0)) return this.refuse('JSON_NEGATIVE_ZERO', 'negative zero')
    if (!Number.isFinite(value)) return this.refuse('JSON_NUMBER_RANGE', 'number too large')
    if (end > fractionEnd || end - start > SAFE_DIGITS) {
      const numeral = splitNumeral(lexeme)
      if (value === 0 && numeral.digits !== '') {
        return this.refuse('JSON_NUMBER_RANGE', 'number too close to zero')
      }
      if (this.limits.numbers !== 'nearest' && !isExact(numeral, value)) {
        return this.refuse('JSON_NUMBER_PRECISION', 'a double cannot hold all digits')
      }
    }
    this.at = end
    return value
  }

  private findFractionEnd(from: number): number | undefined {
    return this.text.charCodeAt(from) === POINT ? this.findDigitsEnd(from + 1) : from
  }

  private findExponentEnd(from: number): number | undefined {
    const code = this.text.charCodeAt(from)
    if (code !== LOWER_E && code !== UPPER_E) return from
    const sign = this.text[from + 1]
    return this.findDigitsEnd(sign === '+' || sign === '-' ? from + 2 : from + 1)
  }

  private findDigitsEnd(from: number): number | undefined {
    let end = from
    while (isDigit(this.text.charCodeAt(end))) end += 1
    return end > from ? end : this.refuse('JSON_SYNTAX', 'expected a digit', end)
  }

  /** Moves to the next character that is not white space; its code, NaN at the end. */
  private skipSpace(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
      this.at += 1
    }
  }

  private close<T>(container: T): T {
    this.at += 1
    return container
  }

  private refuseDepth(): undefined {
    return this.refuse('JSON_DEPTH', `nested deeper than ${this.limits.depth}`)
  }

  private refuse(code: JsonRefusal, detail: string, at: number = this.at): undefined {
    this.problem = { code, at, detail }
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}
