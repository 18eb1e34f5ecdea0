/**
 * A schema of OpenAPI as JSON Schema 2020-12 that needs nothing else: references are followed, `nullable` and bounds of
 * 3.0 are written as keywords, what only describes is left out. A keyword that is not known might be a rule: it refuses.
 */
import { isObject, type JsonObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import { followReference } from './read-reference.ts'
import { RefusedOperation } from './refused-operation.ts'

const PLAIN: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'required', 'minimum', 'maximum', 'multipleOf', 'uniqueItems'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
])
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'propertyNames'])
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/** They allow and forbid nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'summary', 'default', 'example', 'examples', 'deprecated', 'format'],
  ...['readOnly', 'writeOnly', 'xml', 'externalDocs', 'discriminator', '$comment', '$schema'],
  ...['contentMediaType', 'contentEncoding', 'nullable'],
])

/** Which type a keyword speaks of, where the schema does not say. */
const SPOKEN_OF: Readonly<Record<string, string>> = {
  properties: 'object',
  additionalProperties: 'object',
  items: 'array',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  minimum: 'number',
  maximum: 'number',
}

export type SchemaUse = {
  /** What is sent has the members that are declared and no others; what comes back may have more. */
  readonly closed: boolean
}

/** Of one operation: all its schemas share one bound. */
export class SchemaConverter {
  readonly #document: JsonObject
  #left: number = LIMITS.openApiSchemas

  constructor(document: JsonObject) {
    this.#document = document
  }

  convert(schema: JsonValue, use: SchemaUse, trail: readonly string[] = []): JsonValue {
    this.#left -= 1
    if (this.#left < 0)
      throw new RefusedOperation(`its schemas come to more than ${LIMITS.openApiSchemas}`)
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) throw new RefusedOperation('a schema is no object')
    if (Object.hasOwn(schema, '$ref')) return this.#follow(schema, use, trail)
    const inner = { closed: use.closed && !Object.hasOwn(schema, 'allOf') }
    const members = Object.entries(schema).flatMap(([name, value]) => {
      const converted = this.#convertMember(name, value, inner, trail)
      return converted === undefined ? [] : [[name, converted] as const]
    })
    return addNull(schema, closeObject(moveBounds(addType(Object.fromEntries(members))), inner))
  }

  /** What stands beside a reference counts in 3.1 and not in 3.0: only what says nothing may. */
  #follow(schema: JsonObject, use: SchemaUse, trail: readonly string[]): JsonValue {
    const other = Object.keys(schema).find((name) => name !== '$ref' && !isAnnotation(name))
    if (other !== undefined || schema.nullable === true)
      throw new RefusedOperation(`\`${other ?? 'nullable'}\` stands beside a reference`)
    const followed = followReference(this.#document, schema, trail)
    return this.convert(followed.value, use, followed.trail)
  }

  #convertMember(
    name: string,
    value: JsonValue,
    use: SchemaUse,
    trail: readonly string[],
  ): JsonValue | undefined {
    if (PLAIN.has(name)) return narrowNumber(name, value)
    if (ONE.has(name)) return this.convert(value, use, trail)
    if (LISTS.has(name) && Array.isArray(value))
      return (value as readonly JsonValue[]).map((one) => this.convert(one, use, trail))
    if (MAPS.has(name) && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, this.convert(one, use, trail)]),
      )
    if (isAnnotation(name)) return undefined
    throw new RefusedOperation(`the keyword \`${name}\` of a schema is not known here`)
  }
}

function isAnnotation(name: string): boolean {
  return ANNOTATIONS.has(name) || name.startsWith('x-')
}

function addType(schema: JsonObject): JsonObject {
  if (Object.hasOwn(schema, 'type')) return schema
  const name = Object.keys(schema).find((one) => Object.hasOwn(SPOKEN_OF, one))
  return name === undefined ? schema : { type: SPOKEN_OF[name] ?? 'object', ...schema }
}

/** In 3.0 `exclusiveMinimum: true` stands beside `minimum`. */
function moveBounds(schema: JsonObject): JsonObject {
  const moved: Record<string, JsonValue> = { ...schema }
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const { [bound]: value, [exclusive]: flag } = schema
    if (typeof flag !== 'boolean') continue
    delete moved[exclusive]
    if (!flag || value === undefined) continue
    delete moved[bound]
    moved[exclusive] = value
  }
  return moved
}

function addNull({ nullable }: JsonObject, schema: JsonObject): JsonObject {
  if (nullable !== true) return schema
  const { type, enum: words } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const list: readonly JsonValue[] | undefined = Array.isArray(words) ? words : undefined
  const more = list === undefined || list.includes(null) ? {} : { enum: [...list, null] }
  return { ...schema, type: [type, 'null'], ...more }
}

const MOST = Number.MAX_SAFE_INTEGER

/** The document was read to the nearest number. Bounds of 64 bits become narrower; another such number is not known. */
function narrowNumber(name: string, value: JsonValue): JsonValue {
  const numbers: readonly JsonValue[] = Array.isArray(value) ? value : [value]
  if (!numbers.some((one) => typeof one === 'number' && Math.abs(one) > MOST)) return value
  if (typeof value === 'number' && value > MOST && MOST_BOUNDS.has(name)) return MOST
  if (typeof value === 'number' && value < -MOST && LEAST_BOUNDS.has(name)) return -MOST
  throw new RefusedOperation(`a number of \`${name}\` has more digits than can be read`)
}

const LEAST_BOUNDS: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum'])
const MOST_BOUNDS: ReadonlySet<string> = new Set([
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
])

/** Within `allOf` each part sees the members of the others, and would refuse them. */
function closeObject(schema: JsonObject, { closed }: SchemaUse): JsonObject {
  const isOpen =
    Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'additionalProperties')
  return closed && isOpen ? { ...schema, additionalProperties: false } : schema
}
