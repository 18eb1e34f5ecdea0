/**
 * A JSON Schema of parameters as a tree of bounded values.
 *
 * S1 Whatever fits the tree fits the schema, except where `findings` names the place: a keyword that the tree cannot
 *    say is left to whoever checks the parameters afterwards.
 * S2 The tree is closed and finite: members that the schema does not name are not in it, texts and lists have a length.
 */
import { toDecimal } from '../canonical/decimal.ts'
import { isForbiddenKey } from '../canonical/forbidden-key.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { getOwn } from '../contract/own.ts'
import { formatPointer, parsePointer } from '../proposal/pointer.ts'
import { GRAMMAR_LIMITS } from './grammar-limits.ts'
import { readIntegerRange } from './integer-range.ts'
import type { GrammarMember, GrammarNode } from './node.ts'

/** A keyword that is not in the tree, and where. */
export type SchemaFinding = { readonly param: string; readonly keyword: string }

/** Why there is no tree. */
export type SchemaProblem = {
  /** It is too large; else no value fits, or none that can be said. */
  readonly isTooLarge: boolean
  readonly param: string
  readonly why: string
}

/** Ends the reading of a schema. */
class NoNode extends Error {
  readonly problem: SchemaProblem

  constructor(problem: SchemaProblem) {
    super(problem.why)
    this.problem = problem
  }
}

export type ReadSchema =
  | { readonly node: GrammarNode; readonly findings: readonly SchemaFinding[] }
  | { readonly problem: SchemaProblem }

export function readNode(schema: JsonObject): ReadSchema {
  const reader = new SchemaReader(schema)
  try {
    return { node: reader.read(schema, []), findings: reader.findings }
  } catch (error) {
    if (error instanceof NoNode) return { problem: error.problem }
    throw error
  }
}

type Names = readonly string[]

/** What a keyword says of a value is in the tree, or says nothing about the value. */
const SAID: readonly string[] = [
  '$defs',
  '$id',
  '$ref',
  '$schema',
  'additionalProperties',
  'anyOf',
  'const',
  'default',
  'definitions',
  'deprecated',
  'description',
  'enum',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'properties',
  'required',
  'title',
  'type',
  'x-log',
]

class SchemaReader {
  readonly findings: SchemaFinding[] = []
  readonly #root: JsonObject
  #nodes = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  read(schema: JsonValue | undefined, names: Names, depth = 0): GrammarNode {
    this.#nodes += 1
    if (this.#nodes > GRAMMAR_LIMITS.nodes || depth > GRAMMAR_LIMITS.depth)
      throw this.#stop(names, 'the schema is too large, or refers to itself', true)
    if (!isObject(schema)) throw this.#stopOpen(names, 'says nothing of its value')
    for (const keyword of Object.keys(schema))
      if (!SAID.includes(keyword)) this.#leave(names, keyword)
    if (schema.$ref !== undefined) return this.read(this.#follow(schema, names), names, depth + 1)
    if (schema.const !== undefined) return this.#readValues([schema.const], schema, names)
    if (Array.isArray(schema.enum)) return this.#readValues(schema.enum, schema, names)
    if (Array.isArray(schema.anyOf)) return this.#readChoice(schema.anyOf, schema, names, depth)
    if (Array.isArray(schema.type)) {
      const alternatives = schema.type.map((type: JsonValue) => ({ ...schema, type }))
      return toChoice(alternatives.map((one) => this.read(one, names, depth + 1)))
    }
    return this.#readType(schema, names, depth)
  }

  #readType(schema: JsonObject, names: Names, depth: number): GrammarNode {
    switch (schema.type) {
      case 'object':
        return this.#readObject(schema, names, depth)
      case 'array':
        return this.#readList(schema, names, depth)
      case 'string':
        return this.#readText(schema, names)
      case 'integer':
        return this.#readInteger(schema, names)
      case 'number':
        return this.#readNumber(schema, names)
      case 'boolean':
        return { kind: 'values', values: [false, true] }
      case 'null':
        return { kind: 'values', values: [null] }
      default:
        throw this.#stopOpen(names, 'has no type')
    }
  }

  /** An optional member that cannot be said is left out: a proposal without it fits as well. */
  #readObject(schema: JsonObject, names: Names, depth: number): GrammarNode {
    const required = Array.isArray(schema.required) ? schema.required : []
    const members: GrammarMember[] = []
    const properties = isObject(schema.properties) ? schema.properties : {}
    for (const name of required)
      if (typeof name !== 'string' || !Object.hasOwn(properties, name))
        throw this.#stopOpen(names, 'requires a member that it does not describe')
    for (const [name, part] of Object.entries(properties)) {
      if (part === false || isForbiddenKey(name)) continue
      const isRequired = required.includes(name)
      const node = this.#readMember(part, [...names, name], depth, isRequired)
      if (node !== null) members.push({ name, required: isRequired, node })
    }
    return { kind: 'object', members }
  }

  #readMember(
    part: JsonValue,
    names: Names,
    depth: number,
    isRequired: boolean,
  ): GrammarNode | null {
    try {
      return this.read(part, names, depth + 1)
    } catch (error) {
      if (!(error instanceof NoNode) || error.problem.isTooLarge) throw error
      if (isRequired) throw error
      this.#leave(names, 'left_out')
      return null
    }
  }

  #readList(schema: JsonObject, names: Names, depth: number): GrammarNode {
    const min = toCount(schema.minItems) ?? 0
    const stated = toCount(schema.maxItems)
    const max = Math.min(stated ?? Number.MAX_SAFE_INTEGER, Math.max(min, GRAMMAR_LIMITS.items))
    if (schema.items === undefined) throw this.#stopOpen(names, 'says nothing of its items')
    if (min > max) throw this.#stop(names, '`minItems` > `maxItems`')
    return { kind: 'list', items: this.read(schema.items, [...names, '*'], depth + 1), min, max }
  }

  #readText(schema: JsonObject, names: Names): GrammarNode {
    const min = toCount(schema.minLength) ?? 0
    const stated = toCount(schema.maxLength)
    const max = Math.min(
      stated ?? Number.MAX_SAFE_INTEGER,
      Math.max(min, GRAMMAR_LIMITS.textLength),
    )
    if (min > max) throw this.#stop(names, '`minLength` > `maxLength`')
    const isLengthStated = stated !== undefined || min > 0
    const text = { kind: 'text', min, max, isLengthStated } as const
    if (typeof schema.pattern !== 'string') return text
    // Which texts a pattern allows, and how long they are, only the check afterwards knows.
    if (isLengthStated) this.#leave(names, 'pattern')
    return { ...text, pattern: schema.pattern }
  }

  #readInteger(schema: JsonObject, names: Names): GrammarNode {
    const node = { kind: 'integer', ...readIntegerRange(schema) } as const
    if (node.min > node.max) throw this.#stop(names, 'the range is empty')
    return node
  }

  /** How a decoder writes a number with a fraction nobody can say. */
  #readNumber(schema: JsonObject, names: Names): GrammarNode {
    this.#leave(names, 'number')
    const { minimum = null, maximum = null } = schema
    return { kind: 'number', min: toDecimal(minimum) ?? null, max: toDecimal(maximum) ?? null }
  }

  #readValues(values: readonly JsonValue[], schema: JsonObject, names: Names): GrammarNode {
    const { const: _, enum: __, ...rest } = schema
    const isAlone = Object.keys(rest).every((name) => QUIET.includes(name))
    const fitting = values.filter((value) => isOfType(value, schema.type))
    if (!isAlone) this.#leave(names, 'enum')
    if (fitting.length === 0) throw this.#stop(names, 'no value is left')
    if (fitting.length > GRAMMAR_LIMITS.values) throw this.#stop(names, 'too many values', true)
    return { kind: 'values', values: fitting }
  }

  #readChoice(
    parts: readonly JsonValue[],
    schema: JsonObject,
    names: Names,
    depth: number,
  ): GrammarNode {
    const { anyOf: _, ...rest } = schema
    if (!Object.keys(rest).every((name) => QUIET.includes(name))) this.#leave(names, 'anyOf')
    return toChoice(parts.map((part) => this.read(part, names, depth + 1)))
  }

  #follow({ $ref, ...rest }: JsonObject, names: Names): JsonValue | undefined {
    if (!Object.keys(rest).every((name) => QUIET.includes(name))) this.#leave(names, '$ref')
    const path =
      typeof $ref === 'string' && $ref.startsWith('#/') ? parsePointer($ref.slice(1)) : []
    let found: JsonValue | undefined = this.#root
    for (const name of path ?? []) found = isObject(found) ? getOwn(found, name) : undefined
    if (path === undefined || path.length === 0 || found === undefined)
      throw this.#stopOpen(names, 'refers to a schema that is not here')
    return found
  }

  #leave(names: Names, keyword: string): void {
    this.findings.push({ param: formatPointer(names), keyword })
  }

  #stopOpen(names: Names, why: string): NoNode {
    return this.#stop(names, `the schema ${why}`)
  }

  #stop(names: Names, why: string, isTooLarge = false): NoNode {
    return new NoNode({ isTooLarge, param: formatPointer(names), why })
  }
}

/** Beside a list of values these say no more. */
const QUIET: readonly string[] = [
  '$defs',
  '$id',
  '$schema',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'title',
  'type',
  'x-log',
]

function toChoice(of: readonly GrammarNode[]): GrammarNode {
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { kind: 'choice', of }
}

function toCount(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function isOfType(value: JsonValue, type: JsonValue | undefined): boolean {
  if (Array.isArray(type)) return type.some((one: JsonValue) => isOfType(value, one))
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return type === undefined
  }
}
