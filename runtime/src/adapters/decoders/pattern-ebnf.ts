/**
 * A regular expression as EBNF, of which every text fits the expression and can stand in JSON as it is.
 *
 * Characters, classes, groups, alternatives and counts are understood, anchors at both ends; whatever else an expression
 * holds makes it one that no mask is made of.
 */

import {
  ANY_CHARACTER,
  type CharacterClass,
  type CharacterRange,
  formatClass,
} from './character-class.ts'
import { computeRunLength, type EbnfRules } from './ebnf-rules.ts'

export function formatPattern(pattern: string, rules: EbnfRules): string {
  const start = pattern.startsWith('^') ? 1 : 0
  const isEnded = pattern.endsWith('$') && !pattern.endsWith('\\$')
  const text = pattern.slice(start, isEnded ? -1 : undefined)
  return new PatternWriter(text, rules).write()
}

const DIGITS: readonly CharacterRange[] = [[0x30, 0x39]]
const SHORTHANDS: Readonly<Record<string, readonly CharacterRange[]>> = {
  d: DIGITS,
  w: [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]],
  s: [[0x20, 0x20]],
}
const LETTER = /^[A-Za-z0-9]$/
const COUNT = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/
/** Of a run without an end. */
const FAR = 4_096
/** Characters of a pattern, each as often as its counts say: counts inside of counts make every step of a mask slower. */
const WEIGHT_MOST = 2_048
const SPECIAL = '^$*+?{}|()]'

class PatternWriter {
  readonly #text: string
  readonly #rules: EbnfRules
  #at = 0
  /** Of what is written so far. */
  #weight = 0

  constructor(text: string, rules: EbnfRules) {
    this.#text = text
    this.#rules = rules
  }

  write(): string {
    const written = this.#writeAlternatives()
    if (this.#at < this.#text.length) throw this.#stop()
    return written
  }

  #stop(): Error {
    return new Error(`the pattern is not understood at character ${this.#at + 1}`)
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #writeAlternatives(): string {
    const parts = [this.#writeSequence()]
    while (this.#take('|')) parts.push(this.#writeSequence())
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' | ')})`
  }

  #writeSequence(): string {
    const parts: string[] = []
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] ?? ''))
      parts.push(this.#writeCounted())
    return parts.length === 0 ? '""' : parts.join(' ')
  }

  #writeCounted(): string {
    const before = this.#weight
    const one = this.#writeOne()
    for (const sign of ['?', '*', '+'])
      if (this.#take(sign)) return this.#end(this.#writeSigned(one, sign, before))
    const found = COUNT.exec(this.#text.slice(this.#at))
    if (found === null) return one
    const [whole, least = '', comma, most] = found
    this.#at += whole.length
    const last = comma === undefined ? least : (most ?? '')
    const isClass = one.startsWith('[')
    if (isClass && Number(last || FAR) >= Number(least))
      return this.#end(this.#writeRun(one, Number(least), Number(last || FAR), before))
    this.#weigh(before, Number(last || least))
    this.#rules.recordCount(this.#weight - before)
    return this.#end(`(${one}){${comma === undefined ? least : `${least},${last}`}}`)
  }

  /** What was written since, so many times. */
  #weigh(before: number, times: number): void {
    this.#weight = before + (this.#weight - before) * Math.max(1, times)
    if (this.#weight > WEIGHT_MOST) throw new Error('the pattern is too large for a mask')
  }

  #writeSigned(one: string, sign: string, before: number): string {
    if (!one.startsWith('[') || sign === '?') return `(${one})${sign}`
    return this.#writeRun(one, sign === '+' ? 1 : 0, FAR, before)
  }

  #writeRun(one: string, least: number, most: number, before: number): string {
    this.#weigh(before, computeRunLength(least, most))
    return this.#rules.addRun(one, least, most, '""')
  }

  /** Lazy and possessive counts match otherwise in some engines: they are not understood. */
  #end(written: string): string {
    if ('?*+{'.includes(this.#text[this.#at] ?? ' ')) throw this.#stop()
    return written
  }

  #writeOne(): string {
    if (this.#take('(')) {
      if (!this.#take('?:') && this.#text[this.#at] === '?') throw this.#stop()
      const inner = this.#writeAlternatives()
      if (!this.#take(')')) throw this.#stop()
      return `(${inner})`
    }
    if (this.#take('[')) return this.#writeClass(this.#readClass())
    if (this.#take('.')) return this.#writeClass(ANY_CHARACTER)
    return this.#writeClass({ isInverted: false, ranges: this.#readCharacter(SPECIAL) })
  }

  #writeClass(one: CharacterClass): string {
    this.#weight += 1
    return formatClass(one)
  }

  #readCharacter(special: string): readonly CharacterRange[] {
    if (this.#take('\\')) return this.#readEscape()
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    if (this.#at >= this.#text.length || special.includes(character)) throw this.#stop()
    this.#at += character.length
    return toRange(character)
  }

  #readEscape(): readonly CharacterRange[] {
    const character = this.#text[this.#at] ?? ''
    const known = Object.hasOwn(SHORTHANDS, character) ? SHORTHANDS[character] : undefined
    // A letter behind a backslash means something that is not understood here.
    if (character === '' || (known === undefined && LETTER.test(character))) throw this.#stop()
    this.#at += 1
    return known ?? toRange(character)
  }

  #readClass(): CharacterClass {
    const isInverted = this.#take('^')
    const ranges: CharacterRange[] = []
    while (!this.#take(']')) {
      const first = this.#readCharacter('[')
      const [from] = first
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']'
      if (!isRange) {
        ranges.push(...first)
        continue
      }
      this.#at += 1
      const [to] = this.#readCharacter('[')
      if (from === undefined || to === undefined || from[0] !== from[1] || to[0] !== to[1])
        throw this.#stop()
      if (to[0] < from[0]) throw this.#stop()
      ranges.push([from[0], to[0]])
    }
    return { isInverted, ranges }
  }
}

function toRange(character: string): readonly CharacterRange[] {
  const point = character.codePointAt(0) ?? 0
  return [[point, point]]
}
