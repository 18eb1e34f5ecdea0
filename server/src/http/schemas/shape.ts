/** The words that schemas of requests and replies are written in. */
import { type JsonObject, LIMITS } from 'rubicon-kernel'

/** An object with these members and no others. */
export function buildClosedObject(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

/**
 * An object of a reply: all members are there but those named, and there are no others.
 * `whole<Row>({…})` does not compile when a member of the row is new, gone, or not optional there.
 */
export function buildWholeObject<Row extends object = Readonly<Record<string, unknown>>>(
  properties: { readonly [Name in keyof NoInfer<Row>]-?: JsonObject },
  optional: readonly OptionalOf<NoInfer<Row>>[] = [],
): JsonObject {
  const missing: readonly string[] = optional
  const names = Object.keys(properties)
  return buildClosedObject(
    properties,
    names.filter((name) => !missing.includes(name)),
  )
}

type OptionalOf<Row> = {
  [Name in keyof Row & string]-?: Partial<Pick<Row, Name>> extends Pick<Row, Name> ? Name : never
}[keyof Row & string]

/** A schema with a name of its own: a component of the API document, a type of the client. */
export function nameSchema(name: string, schema: JsonObject): JsonObject {
  return { ...schema, title: name }
}

/** A page of a list: `{<plural>, next}`. */
export function buildPageSchema(plural: string, items: JsonObject): JsonObject {
  return buildWholeObject({ [plural]: buildArray(items), next: allowNull(string) })
}

export const string: JsonObject = { type: 'string' }
export const integer: JsonObject = { type: 'integer' }
/** From 0 on. */
export const count: JsonObject = { type: 'integer', minimum: 0 }
export const number: JsonObject = { type: 'number' }
export const boolean: JsonObject = { type: 'boolean' }
/** As the runtime writes an instant: `2026-01-31T12:00:00.000Z` */
export const moment: JsonObject = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
}
/** Whatever JSON can say. */
export const anything: JsonObject = {}
/** An object whose members are not ours to describe. */
export const open: JsonObject = { type: 'object' }

export function buildArray(items: JsonObject): JsonObject {
  return { type: 'array', items }
}

/** Members under names that are data. */
export function buildMap(values: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: values }
}

export function allowNull(schema: JsonObject): JsonObject {
  return typeof schema.type === 'string' && schema.title === undefined && schema.enum === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

export function text(maxLength: number): JsonObject {
  return { type: 'string', maxLength }
}

export function buildEnum(...known: readonly string[]): JsonObject {
  return { type: 'string', enum: known }
}

/** `wordsOf<Effect>({…})` does not compile when a word of that type is new or gone. */
export function buildUnionEnum<Word extends string>(
  known: {
    readonly [One in NoInfer<Word>]: true
  },
): JsonObject {
  return buildEnum(...Object.keys(known))
}

export function listOf(items: JsonObject, maxItems: number): JsonObject {
  return { type: 'array', items, maxItems }
}

export const identifier: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z0-9._:@-]{1,128}$',
}

/** Some of these words, with commas between them. */
export function buildWordListSchema(...known: readonly string[]): JsonObject {
  const word = `(${known.join('|')})`
  return { type: 'string', pattern: `^${word}(,${word})*$`, maxLength: 512 }
}

/** Those of the words that stand in such a list; undefined where there is none. */
export function selectWords<Word extends string>(
  known: readonly Word[],
  list: string | undefined,
): readonly Word[] | undefined {
  const said = list?.split(',')
  return said === undefined ? undefined : known.filter((word) => said.includes(word))
}

export const instant: JsonObject = {
  type: 'string',
  maxLength: 32,
  description: 'an instant in UTC, such as 2026-01-31T12:00:00Z; a day stands for its first',
}

/** The `next` of the page before. */
export const cursor: JsonObject = { type: 'string', maxLength: 1_024 }

/** A place in a ledger, or a number of them. */
export const natural: JsonObject = { type: 'string', pattern: '^(0|[1-9][0-9]{0,14})$' }

/** In a query everything is text. */
export const limit: JsonObject = { type: 'string', pattern: '^[1-9][0-9]{0,3}$' }
const LISTED = 50

/** How many rows to list. */
export function parseLimit(query: Readonly<Record<string, string>>): number {
  return Math.min(LIMITS.listed, Number(query.limit ?? LISTED))
}
