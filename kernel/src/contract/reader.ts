/**
 * Reads a document member by member and keeps everything that is wrong with it, with its place.
 *
 * A reader always answers. Where it recorded a problem the answer is a stand-in that nobody gets to
 * see, because a document with a problem yields no value at all.
 */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { shorten } from '../canonical/shorten.ts'
import { findNearest } from './nearest-name.ts'

export type DocumentProblem = {
  readonly path: readonly (string | number)[]
  readonly detail: string
}

/** `undefined` is a missing member: for a reader that is one more wrong value. */
export type Read<T> = (value: JsonValue | undefined, place: Place) => T

/** Where in the document a reader stands. */
export class Place {
  private readonly problems: DocumentProblem[]
  private readonly above: Place | null
  private readonly step: string | number

  /** Of the whole document. */
  constructor(problems: DocumentProblem[], above: Place | null = null, step: string | number = '') {
    this.problems = problems
    this.above = above
    this.step = step
  }

  refuse(detail: string): void {
    this.problems.push({ path: this.buildPath(), detail })
  }

  /** Most places are never named, so that only those that are pay for it. */
  private buildPath(): readonly (string | number)[] {
    return this.above === null ? [] : [...this.above.buildPath(), this.step]
  }

  /** For a value that is not `wanted`, missing or present. */
  refuseValue(value: JsonValue | undefined, wanted: string): void {
    this.refuse(
      value === undefined ? 'is missing' : `must be ${wanted}, not ${describeValue(value)}`,
    )
  }

  stepInto(step: string | number): Place {
    return new Place(this.problems, this, step)
  }

  /** How much was refused so far, anywhere in the document. */
  countRefused(): number {
    return this.problems.length
  }

  /** The same place, for questions whose problems were already told. */
  createMuted(): Place {
    return new Place([], this.above, this.step)
  }
}

/**
 * Answers as before about the same part of another document, where that can never have changed: entries of a
 * ledger share what they have in common.
 */
export function createRememberingReader<T>(read: Read<T>): Read<T> {
  const known = new WeakMap<object, T>()
  return (value, place) => {
    if (value === null || typeof value !== 'object') return read(value, place)
    const before = known.get(value)
    if (before !== undefined) return before
    const refused = place.countRefused()
    const answer = read(value, place)
    if (place.countRefused() === refused && isFixed(value)) known.set(value, answer)
    return answer
  }
}

function isFixed(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') return true
  return Object.isFrozen(value) && Object.values(value).every(isFixed)
}

/** The members of one object. Each is taken by name; `end` refuses what nobody took. */
export class Fields {
  private readonly source: JsonObject
  private readonly place: Place
  private readonly taken: string[] = []

  constructor(value: JsonValue | undefined, place: Place) {
    const sound = isObject(value)
    if (!sound) place.refuseValue(value, 'a map')
    this.source = sound ? value : {}
    // What is not a map lacks every member; saying so once is enough.
    this.place = sound ? place : place.createMuted()
  }

  readRequired<T>(name: string, read: Read<T>): T {
    return read(this.take(name), this.place.stepInto(name))
  }

  readDefaulted<T>(name: string, read: Read<T>, fallback: T): T {
    const value = this.take(name)
    return value === undefined ? fallback : read(value, this.place.stepInto(name))
  }

  /** An object with the member, or without it: spread into the result. */
  readOptional<T, U>(name: string, read: Read<T>, put: (value: T) => U): Partial<U> {
    const value = this.take(name)
    return value === undefined ? {} : put(read(value, this.place.stepInto(name)))
  }

  /**
   * As `optional`, and `null` is absence too. Only for members whose absence grants nothing: a
   * limit left blank is an unfinished limit, not a missing one.
   */
  readNullable<T, U>(name: string, read: Read<T>, put: (value: T) => U): Partial<U> {
    if (this.take(name) === null) return {}
    return this.readOptional(name, read, put)
  }

  /** For what is wrong with the whole. */
  refuse(detail: string): void {
    this.place.refuse(detail)
  }

  has(name: string): boolean {
    return Object.hasOwn(this.source, name)
  }

  hasList(name: string): boolean {
    return this.has(name) && Array.isArray(this.source[name])
  }

  /** The member is a map, and has such a member itself. */
  hasMember(name: string, member: string): boolean {
    const value = this.source[name]
    return this.has(name) && isObject(value) && Object.hasOwn(value, member)
  }

  /** The names that nobody took so far, in the order of the document. */
  listUntaken(): readonly string[] {
    return Object.keys(this.source).filter((name) => !this.taken.includes(name))
  }

  end(): void {
    for (const [at, name] of this.listUntaken().entries()) {
      // A document may have any number of them.
      const near = at < HINTED ? findNearest(name, this.listAbsent()) : undefined
      const hint = near === undefined ? '' : `; did you mean \`${near}\`?`
      this.place.stepInto(name).refuse(`is not a known field${hint}`)
    }
  }

  private listAbsent(): readonly string[] {
    return this.taken.filter((name) => !this.has(name))
  }

  private take(name: string): JsonValue | undefined {
    this.taken.push(name)
    return this.has(name) ? this.source[name] : undefined
  }
}

/** Of an object, unknown members for which one that was meant is looked for. */
const HINTED = 8
const SHOWN_LENGTH = 60

/** A value as a message names it: input in backticks, and not all of a long one. */
export function describeValue(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a map'
  const text = String(value)
  if (text.length === 0) return 'an empty text'
  return text.length <= SHOWN_LENGTH ? `\`${text}\`` : `\`${shorten(text, SHOWN_LENGTH)}…\``
}
