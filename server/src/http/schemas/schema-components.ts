/**
 * Schemas with names, told apart from where they are used. Only what is itself a schema is looked
 * into: a member called `title` is data.
 */
import { assert, type JsonObject, type JsonValue, toCanonicalText } from 'rubicon-kernel'

/** By name, without it. */
export type Components = Map<string, JsonObject>

/** Keywords whose value is a schema, a list of them, or has them under names. */
const ONE: readonly string[] = ['items', 'additionalProperties', 'not', 'contains']
const LISTS: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NAMED: readonly string[] = ['properties', 'patternProperties']

/** The schema with every named part replaced by a reference, and the part among the components. */
export function lift(schema: JsonObject, components: Components): JsonObject {
  const { $schema: _, title, ...rest } = schema
  const members = Object.entries(rest).map(([key, value]) => [
    key,
    liftMember(key, value, components),
  ])
  const lifted: JsonObject = Object.fromEntries(members)
  if (typeof title !== 'string') return lifted
  const known = components.get(title)
  const isSame = known === undefined || toCanonicalText(known) === toCanonicalText(lifted)
  assert(isSame, `a name stands for one schema: ${title}`)
  components.set(title, lifted)
  return { $ref: `#/components/schemas/${title}` }
}

function liftMember(key: string, value: JsonValue, components: Components): JsonValue {
  if (ONE.includes(key)) return liftValue(value, components)
  if (LISTS.includes(key)) return parseList(value).map((item) => liftValue(item, components))
  if (!NAMED.includes(key)) return value
  const members = Object.entries(parseMembers(value))
  return Object.fromEntries(members.map(([name, part]) => [name, liftValue(part, components)]))
}

/** `additionalProperties` may be a word. */
function liftValue(value: JsonValue, components: Components): JsonValue {
  return typeof value === 'object' && value !== null ? lift(parseMembers(value), components) : value
}

export type Property = {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonObject
}

/** The members that an object's schema names. */
export function parseProperties({
  properties = {},
  required = [],
}: JsonObject): readonly Property[] {
  const names = parseList(required)
  return Object.entries(parseMembers(properties)).map(([name, schema]) => ({
    name,
    required: names.includes(name),
    schema: parseMembers(schema),
  }))
}

/** Our own schemas are objects and lists where JSON Schema has them. */
function parseMembers(value: JsonValue): JsonObject {
  return value as JsonObject
}

function parseList(value: JsonValue): readonly JsonValue[] {
  return value as readonly JsonValue[]
}
