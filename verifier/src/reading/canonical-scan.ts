/**
 * Whether a text is JSON in its own canonical form, found by walking over it without making values of it.
 *
 * 1. Yes is certain, but for control characters inside texts: whoever parses the same text afterwards with
 *    `JSON.parse` is told of those. No is not: then the text is read the long way, which says what is wrong.
 * 2. Where the members of the outer object stand, and those of the objects in it, is remembered: a
 *    canonical text of a member is a part of the whole, and need not be written again to be hashed.
 */
import type { JsonLimits } from 'rubicon-kernel'

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Escapes of one letter; what has one is never written as `\u`. */
const SHORT_ESCAPES = '"\\bfnrt'
const CONTROL_ESCAPE = /^\\u00(0[0-7be-f]|1[0-9a-f])/
const REMEMBERED_DEPTH = 2
const FORBIDDEN = ['__proto__', 'prototype', 'constructor'] as const
/** Up to so many digits every integer is written as it is read. */
const SAFE_DIGITS = 15

/** A member: where its name stands without the quotes, and its value; how deep. */
export const PLACES = 5

export type MemberPlaces = {
  readonly text: string
  /** Five numbers a member: depth, start and end of the name, start and end of the value. */
  readonly places: Int32Array
  readonly length: number
  /** Whether nothing else was walked over since. */
  readonly isCurrent: () => boolean
}

export class CanonicalScan {
  private readonly limits: JsonLimits
  private text = ''
  private at = 0
  private keys = 0
  /** The next backslash from where it was looked for last; past the end: there is none. */
  private escape = 0
  private places = new Int32Array(PLACES * 64)
  private length = 0
  private round = 0

  constructor(limits: JsonLimits) {
    this.limits = limits
  }

  /** Of a part of a well-formed text. The places of members, in the text, stand until the next one. */
  isCanonical(text: string, from: number = 0, to: number = text.length): boolean {
    this.round += 1
    this.text = text
    this.at = from
    this.keys = 0
    this.length = 0
    // In UTF-8 it has at most three times as many bytes.
    if ((to - from) * 3 > this.limits.bytes) return false
    this.escape = -1
    return this.scanValue(0) && this.at === to
  }

  /** Of the text that was walked over last, and only until the next one. */
  getMemberPlaces(): MemberPlaces {
    const { text, places, length, round } = this
    return { text, places, length, isCurrent: () => this.round === round }
  }

  private scanValue(depth: number): boolean {
    const text = this.text
    switch (text.charCodeAt(this.at)) {
      case QUOTE:
        this.at = this.findStringEnd(this.at + 1) + 1
        return this.at > 0
      case OPEN_OBJECT:
        return depth < this.limits.depth && this.scanObject(depth + 1)
      case OPEN_ARRAY:
        return depth < this.limits.depth && this.scanArray(depth + 1)
      case LOWER_T:
        return this.scanLiteral('true')
      case LOWER_F:
        return this.scanLiteral('false')
      case LOWER_N:
        return this.scanLiteral('null')
      default:
        return this.scanNumber()
    }
  }

  private scanObject(depth: number): boolean {
    const text = this.text
    this.at += 1
    if (text.charCodeAt(this.at) === CLOSE_OBJECT) return this.pass()
    let before = -1
    let beforeEnd = -1
    for (;;) {
      if (text.charCodeAt(this.at) !== QUOTE) return false
      const name = this.at + 1
      const end = text.indexOf('"', name)
      if (end < 0 || text.charCodeAt(end + 1) !== COLON) return false
      // Names are compared as they are written, which says nothing of escaped ones.
      if (this.findNextEscape(name) < end) return false
      if (before >= 0 && !this.isBefore(before, beforeEnd, name, end)) return false
      if (this.isForbidden(name, end - name)) return false
      this.keys += 1
      if (this.keys > this.limits.keys) return false
      this.at = end + 2
      const place = depth <= REMEMBERED_DEPTH ? this.remember(depth, name, end) : -1
      if (!this.scanValue(depth)) return false
      if (place >= 0) this.places[place] = this.at
      before = name
      beforeEnd = end
      const next = text.charCodeAt(this.at)
      this.at += 1
      if (next === CLOSE_OBJECT) return true
      if (next !== COMMA) return false
    }
  }

  /** Where the end of the value is to be written. */
  private remember(depth: number, name: number, end: number): number {
    const at = this.length
    if (at + PLACES > this.places.length) {
      const larger = new Int32Array(2 * this.places.length)
      larger.set(this.places)
      this.places = larger
    }
    const members = this.places
    members[at] = depth
    members[at + 1] = name
    members[at + 2] = end
    members[at + 3] = this.at
    this.length = at + PLACES
    return at + 4
  }

  private scanArray(depth: number): boolean {
    const text = this.text
    this.at += 1
    if (text.charCodeAt(this.at) === CLOSE_ARRAY) return this.pass()
    for (;;) {
      if (!this.scanValue(depth)) return false
      const next = text.charCodeAt(this.at)
      this.at += 1
      if (next === CLOSE_ARRAY) return true
      if (next !== COMMA) return false
    }
  }

  private pass(): boolean {
    this.at += 1
    return true
  }

  private scanLiteral(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  /** Where the quote after a text stands; -1: it has none, or an escape that should be otherwise. */
  private findStringEnd(from: number): number {
    const end = this.text.indexOf('"', from)
    const next = this.findNextEscape(from)
    return next > end ? end : this.findEscapedEnd(next)
  }

  private findNextEscape(from: number): number {
    if (this.escape < from) {
      const found = this.text.indexOf('\\', from)
      this.escape = found < 0 ? this.text.length : found
    }
    return this.escape
  }

  private findEscapedEnd(from: number): number {
    const text = this.text
    for (let at = from; at < text.length; ) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code !== BACKSLASH) at += 1
      else if (SHORT_ESCAPES.includes(text.charAt(at + 1)) && at + 1 < text.length) at += 2
      else if (text.charCodeAt(at + 1) === LOWER_U && CONTROL_ESCAPE.test(text.slice(at, at + 6)))
        at += 6
      else return -1
    }
    return -1
  }

  private scanNumber(): boolean {
    const text = this.text
    const start = this.at
    let at = start
    while (isDigit(text.charCodeAt(at))) at += 1
    const isPlain = at > start && at - start <= SAFE_DIGITS && !isNumeral(text.charCodeAt(at))
    if (isPlain && (text.charCodeAt(start) !== ZERO || at === start + 1)) {
      this.at = at
      return true
    }
    at = start
    while (isNumeral(text.charCodeAt(at))) at += 1
    this.at = at
    const numeral = text.slice(start, at)
    return numeral !== '' && String(Number(numeral)) === numeral
  }

  /** By UTF-16 code units. */
  private isBefore(a: number, aEnd: number, b: number, bEnd: number): boolean {
    const text = this.text
    for (let i = a, j = b; ; i += 1, j += 1) {
      if (j === bEnd) return false
      if (i === aEnd) return true
      const one = text.charCodeAt(i)
      const other = text.charCodeAt(j)
      if (one !== other) return one < other
    }
  }

  private isForbidden(name: number, length: number): boolean {
    if (length !== 9 && length !== 11) return false
    return FORBIDDEN.some((word) => word.length === length && this.text.startsWith(word, name))
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

function isNumeral(code: number): boolean {
  return isDigit(code) || code === MINUS || code === POINT || code === LOWER_E || code === 0x2b
}
