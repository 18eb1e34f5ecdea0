/** What of an operation a tool takes as parameters, and where each goes. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { SchemaConverter } from './convert-schema.ts'
import type { Operation } from './list-operations.ts'
import { followReference } from './read-reference.ts'
import { RefusedOperation } from './refused-operation.ts'

export type Parameters = {
  readonly properties: JsonObject
  /** Name in the query → expression. */
  readonly query: JsonObject
  readonly pathNames: readonly string[]
  /** What a manifest cannot say of them: left out, for somebody to decide. */
  readonly undecided: readonly string[]
}

/** The parameter that is the body. */
export const BODY = 'body'
const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const SCALARS: readonly JsonValue[] = ['string', 'integer', 'number']

type Parameter = { readonly name: string; readonly place: string; readonly said: JsonObject }

export function readParameters(
  document: JsonObject,
  operation: Operation,
  converter: SchemaConverter,
): Parameters {
  const properties: Record<string, JsonValue> = {}
  const query: Record<string, JsonValue> = {}
  const pathNames: string[] = []
  const undecided: string[] = []
  for (const { name, place, said } of listParameters(document, operation)) {
    const schema = readScalar(said, converter)
    const isPath = place === 'path'
    const isTaken = isPath || (place === 'query' && said.required === true && schema !== null)
    if (!isTaken) {
      undecided.push(`${place}.${name}`)
      continue
    }
    if (!isParameterName(name) || Object.hasOwn(properties, name))
      throw new RefusedOperation(`the parameter \`${name}\` cannot have that name, or has it twice`)
    if (
      schema === null ||
      (said.style !== undefined && said.style !== 'simple' && said.style !== 'form')
    )
      throw new RefusedOperation(`the parameter \`${name}\` is no text and no number`)
    properties[name] = schema
    if (isPath) pathNames.push(name)
    else query[name] = { param: `/${name}` }
  }
  return { properties, query, pathNames, undecided }
}

/** One that means something else to every object would be set and not be there. */
function isParameterName(name: string): boolean {
  return NAME.test(name) && name !== BODY && !FORBIDDEN.has(name)
}

/** Those of the path, and in their place those of the operation with the same name. */
function listParameters(document: JsonObject, { said, shared }: Operation): readonly Parameter[] {
  const found = new Map<string, Parameter>()
  for (const list of [shared.parameters, said.parameters]) {
    const parameters: readonly JsonValue[] = Array.isArray(list) ? list : []
    for (const one of parameters) {
      const { value } = followReference(document, one)
      if (!isObject(value) || typeof value.name !== 'string' || typeof value.in !== 'string')
        throw new RefusedOperation('a parameter has no name or no place')
      const { name, in: place } = value
      if (!['path', 'query', 'header', 'cookie'].includes(place))
        throw new RefusedOperation(`the parameter \`${name}\` stands in \`${place}\``)
      found.set(`${place} ${name}`, { name, place, said: value })
    }
  }
  return [...found.values()]
}

/** Null: it is no text and no number, or nobody says what it is. */
function readScalar({ schema }: JsonObject, converter: SchemaConverter): JsonObject | null {
  if (schema === undefined) return null
  const converted = converter.convert(schema, { closed: true })
  return isObject(converted) && SCALARS.includes(converted.type ?? null) ? converted : null
}
