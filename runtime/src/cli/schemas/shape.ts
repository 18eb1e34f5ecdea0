/** The words that schemas are written in. What comes out is plain JSON Schema 2020-12. */
import type { JsonObject } from 'rubicon-kernel'

export type Schema = JsonObject

/** A verb, and what it prints: in words, and as a schema. */
export type Printed = { readonly prints: string; readonly shape: Schema }
export type Family = Readonly<Record<string, Printed>>

/** A member that may be missing. */
export class Optional {
  readonly schema: Schema

  constructor(schema: Schema) {
    this.schema = schema
  }
}

/**
 * The members of `T`. `{…} satisfies Members<T>` does not compile when a member is new, gone, or no
 * longer optional: so that the schema of a row cannot fall behind the row.
 */
export type Members<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? Optional : Schema
}

type AnyMembers = Readonly<Record<string, Schema | Optional>>

/** An object with these members and no others. */
export function buildClosedSchema(members: AnyMembers): Schema {
  return { ...open(members), additionalProperties: false }
}

/** An object with these members, and whatever else. */
export function open(members: AnyMembers): Schema {
  const pairs = Object.entries(members)
  return {
    type: 'object',
    properties: Object.fromEntries(
      pairs.map(([name, member]) => [name, member instanceof Optional ? member.schema : member]),
    ),
    required: pairs.filter(([, member]) => !(member instanceof Optional)).map(([name]) => name),
  }
}

export function markOptional(schema: Schema): Optional {
  return new Optional(schema)
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** An object whose names are data. */
export function buildMapSchema(values: Schema): Schema {
  return { type: 'object', additionalProperties: values }
}

export function buildNullableSchema(schema: Schema): Schema {
  return buildAnyOfSchema(schema, { type: 'null' })
}

export function buildAnyOfSchema(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas }
}

export function buildConstSchema(value: string | boolean): Schema {
  return { const: value }
}

export function buildEnumSchema(words: readonly string[]): Schema {
  return { enum: words }
}

/** Every word of a union: a new one does not compile until it is named. */
export function buildUnionSchema<Word extends string>(words: Readonly<Record<Word, true>>): Schema {
  return buildEnumSchema(Object.keys(words))
}

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
export const figure: Schema = { type: 'number' }
/** A whole number from 0 on. */
export const count: Schema = { type: 'integer', minimum: 0 }
export const anything: Schema = {}
/** `2026-01-31T12:00:00.000Z` */
export const instant: Schema = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
}
