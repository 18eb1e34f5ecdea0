/**
 * What it costs to hold a value against a schema, before it is: the evaluator has no deadline, and an
 * agent chooses how many values it sends and how long they are. `anyOf` over a list is a product, and
 * a schema that refers to itself twice doubles with every level.
 *
 * A step is about ten nanoseconds of one core. What is counted is the most that it can take: the
 * evaluator stops at the first problem, this does not. It stops when the bound is passed.
 */
import { RE2JS } from 're2js'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { SchemaReferences } from './schema-references.ts'

/** A schema that is applied to a value; a member of that value that a keyword looks at. */
const APPLIED = 40
const MEMBER = 16
/** For each state of an expression and character of a text. */
const MATCHED = 5
const MATCH = 50
const COUNTED_CHARACTER = 2
const COMPARED = 8
const DIVIDED = 100
const DIVIDED_FAR = 500
/** Where a schema lies outside of what was registered: so many are applied to each value in it. */
const FOREIGN = 64

const ALL_MEMBERS = [
  'additionalProperties',
  'maxProperties',
  'minProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
]
const BOTH = ['allOf', 'anyOf', 'oneOf'] as const
const SAME_VALUE = ['if', 'then', 'else', 'not'] as const

class TooMany extends Error {}

export type CountSteps = (value: JsonValue, most: number) => number

/** Infinity: more than `most`. */
export function stepCounter(root: JsonObject, references: SchemaReferences): CountSteps {
  const states = new Map<string, number>()
  return (value, most) => {
    try {
      return new Count(references, states, most).countSteps(root, value)
    } catch (error) {
      // Its own stack ends where that of the evaluator does.
      if (error instanceof TooMany || error instanceof RangeError) return Number.POSITIVE_INFINITY
      throw error
    }
  }
}

/** Of all its expressions; a text of data that is called like one counts too. Throws what the engine throws. */
export function countPatternStates(schema: JsonValue): number {
  if (typeof schema !== 'object' || schema === null) return 0
  let states = 0
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'pattern' && typeof part === 'string') states += RE2JS.compile(part).programSize()
    if (name === 'patternProperties')
      for (const [pattern] of listEntries(part)) states += RE2JS.compile(pattern).programSize()
    states += countPatternStates(part)
  }
  return states
}

/** States that an expression has when it is compiled. */
function countStates(pattern: string, known: Map<string, number>): number {
  const found = known.get(pattern) ?? RE2JS.compile(pattern).programSize()
  known.set(pattern, found)
  return found
}

class Count {
  readonly #references: SchemaReferences
  readonly #states: Map<string, number>
  readonly #most: number
  #steps = 0

  constructor(references: SchemaReferences, states: Map<string, number>, most: number) {
    this.#references = references
    this.#states = states
    this.#most = most
  }

  countSteps(schema: JsonObject, value: JsonValue): number {
    this.#apply(schema, value)
    return this.#steps
  }

  #add(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#most) throw new TooMany()
  }

  #apply(schema: JsonValue | undefined, value: JsonValue): void {
    if (!isObject(schema)) return
    this.#add(APPLIED)
    if (typeof schema.$ref === 'string') this.#refer(schema, value)
    for (const name of BOTH)
      if (Array.isArray(schema[name])) for (const part of schema[name]) this.#apply(part, value)
    for (const name of SAME_VALUE) this.#apply(schema[name], value)
    if (Array.isArray(schema.enum)) this.#add(schema.enum.length * countComparedSteps(value))
    if (Object.hasOwn(schema, 'const')) this.#add(countComparedSteps(value))
    if (typeof value === 'string') this.#text(schema, value)
    else if (typeof value === 'number') this.#countNumber(schema, value)
    else if (Array.isArray(value)) this.#list(schema, value)
    else if (isObject(value)) this.#countObject(schema, value)
  }

  #refer(schema: JsonObject, value: JsonValue): void {
    const found = this.#references.resolveReference(schema)
    if (found === undefined) this.#add(FOREIGN * APPLIED * countValues(value))
    else this.#apply(found, value)
  }

  #text(schema: JsonObject, value: string): void {
    const { maxLength, minLength, pattern } = schema
    if (maxLength !== undefined || minLength !== undefined)
      this.#add(COUNTED_CHARACTER * value.length)
    // One that is too long is refused for that; of a character two units may count as one.
    const isLonger = typeof maxLength === 'number' && value.length > 2 * maxLength
    if (typeof pattern === 'string' && !isLonger) this.#match(pattern, value)
  }

  #match(pattern: string, value: string): void {
    this.#add(MATCH + MATCHED * countStates(pattern, this.#states) * value.length)
  }

  #countNumber({ multipleOf }: JsonObject, value: number): void {
    if (typeof multipleOf !== 'number') return
    this.#add(isFar(multipleOf) || isFar(value) ? DIVIDED_FAR : DIVIDED)
  }

  #list(schema: JsonObject, value: readonly JsonValue[]): void {
    const { items, contains, prefixItems, uniqueItems } = schema
    const first = Array.isArray(prefixItems) ? prefixItems : []
    if (uniqueItems === true) this.#add(MEMBER * countValues(value))
    for (const [index, item] of value.entries()) {
      this.#apply(index < first.length ? first[index] : items, item)
      this.#apply(contains, item)
    }
  }

  #countObject(schema: JsonObject, value: JsonObject): void {
    const among = ALL_MEMBERS.filter((keyword) => schema[keyword] !== undefined)
    if (among.length > 0) {
      const names = Object.keys(value)
      this.#add(MEMBER * among.length * names.length)
      this.#countUnnamed(schema, value, names)
    }
    this.#add(countMembers(schema.required) + countMembers(schema.dependentRequired))
    this.#add(countMembers(schema.properties))
    for (const [name, part] of listEntries(schema.properties))
      if (Object.hasOwn(value, name)) this.#apply(part, value[name] ?? null)
    for (const [name, part] of listEntries(schema.dependentSchemas))
      if (Object.hasOwn(value, name)) this.#apply(part, value)
    for (const [name, part] of listEntries(schema.dependencies))
      if (Object.hasOwn(value, name)) this.#apply(part, value)
  }

  /** What is applied to members whatever they are called. */
  #countUnnamed(schema: JsonObject, value: JsonObject, names: readonly string[]): void {
    const { additionalProperties, unevaluatedProperties, propertyNames } = schema
    const properties = isObject(schema.properties) ? schema.properties : {}
    const patterns = listEntries(schema.patternProperties)
    for (const name of names) {
      const part = value[name] ?? null
      for (const [pattern, under] of patterns) {
        this.#match(pattern, name)
        // Whether it does is found out by the evaluator, under the bound.
        this.#apply(under, part)
      }
      if (!Object.hasOwn(properties, name)) this.#apply(additionalProperties, part)
      this.#apply(unevaluatedProperties, part)
      this.#apply(propertyNames, name)
    }
  }
}

function isFar(number: number): boolean {
  const size = Math.abs(number)
  return size >= 1e21 || (size > 0 && size < 1e-9)
}

function countComparedSteps(value: JsonValue): number {
  if (typeof value === 'string') return 1 + value.length / 64
  return typeof value === 'object' && value !== null ? COMPARED * countValues(value) : 1
}

function countValues(value: JsonValue): number {
  if (typeof value === 'string') return 1 + value.length / 64
  if (typeof value !== 'object' || value === null) return 1
  let values = 1
  for (const part of Object.values(value)) values += countValues(part)
  return values
}

function countMembers(value: JsonValue | undefined): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function listEntries(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value) : []
}
