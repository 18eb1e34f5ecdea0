/** The words that schemas are written in. What comes out is plain JSON Schema 2020-12. */
import type { JsonObject } from 'rubicon-kernel'

export type OutputSchema = JsonObject

/** A verb, and what it prints: in words, and as a schema. */
export type Printed = { readonly prints: string; readonly shape: OutputSchema }
export type Family = Readonly<Record<string, Printed>>

/** A member that may be missing. */
export class Optional {
  readonly schema: OutputSchema

  constructor(schema: OutputSchema) {
    this.schema = schema
  }
}

/**
 * The members of `T`. `{…} satisfies Members<T>` does not compile when a member is new, gone, or no
 * longer optional: so that the schema of a row cannot fall behind the row.
 */
export type Members<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? Optional : OutputSchema
}

type AnyMembers = Readonly<Record<string, OutputSchema | Optional>>

/** An object with these members and no others. */
export function buildClosedSchema(members: AnyMembers): OutputSchema {
  return { ...open(members), additionalProperties: false }
}

/** An object with these members, and whatever else. */
export function open(members: AnyMembers): OutputSchema {
  const pairs = Object.entries(members)
  return {
    type: 'object',
    properties: Object.fromEntries(
      pairs.map(([name, member]) => [name, member instanceof Optional ? member.schema : member]),
    ),
    required: pairs.filter(([, member]) => !(member instanceof Optional)).map(([name]) => name),
  }
}

export function markOptional(schema: OutputSchema): Optional {
  return new Optional(schema)
}

export function listOf(items: OutputSchema): OutputSchema {
  return { type: 'array', items }
}

/** An object whose names are data. */
export function buildMapSchema(values: OutputSchema): OutputSchema {
  return { type: 'object', additionalProperties: values }
}

export function buildNullableSchema(schema: OutputSchema): OutputSchema {
  return buildAnyOfSchema(schema, { type: 'null' })
}

export function buildAnyOfSchema(...schemas: readonly OutputSchema[]): OutputSchema {
  return { anyOf: schemas }
}

export function buildConstSchema(value: string | boolean): OutputSchema {
  return { const: value }
}

export function buildEnumSchema(words: readonly string[]): OutputSchema {
  return { enum: words }
}

/** Every word of a union: a new one does not compile until it is named. */
export function buildUnionSchema<Word extends string>(
  words: Readonly<Record<Word, true>>,
): OutputSchema {
  return buildEnumSchema(Object.keys(words))
}

export const text: OutputSchema = { type: 'string' }
export const flag: OutputSchema = { type: 'boolean' }
export const figure: OutputSchema = { type: 'number' }
/** A whole number from 0 on. */
export const count: OutputSchema = { type: 'integer', minimum: 0 }
export const anything: OutputSchema = {}
/** `2026-01-31T12:00:00.000Z` */
export const instant: OutputSchema = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
}
