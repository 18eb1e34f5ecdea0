/**
 * Whether parameters that fit a schema can have a member at a pointer.
 *
 * A scope or a sink on a member that no call can have is a check that never runs. So the schema must
 * name it: where a schema lists `properties`, a name that is not among them counts as misspelt, also
 * where additional ones are allowed. Only what says nothing of its members (no `properties`, no
 * `items`), and what cannot be followed from here (a `$ref` elsewhere), may have any.
 */
import { isObject, type JsonObject, type JsonValue, type Pointer } from 'rubicon-kernel'

/** Schemas that hold for a value, and whether one of them leads where nobody can look. */
type Schemas = { readonly all: readonly JsonObject[]; readonly open: boolean }

const MOST_SCHEMAS = 1024
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const SINGLE = ['then', 'else'] as const

export function hasSchemaPlace(root: JsonObject, pointer: Pointer): boolean {
  let schemas = collectJoinedSchemas(root, [root])
  for (const name of pointer) {
    if (schemas.open) return true
    const found = schemas.all.map((schema) => stepInto(schema, name))
    const next = found.flatMap((step) => (step === null ? [] : step))
    const isSilent = found.every((step) => step === null)
    if (isSilent) return schemas.all.every((schema) => isMemberAdmitted(schema, name))
    if (next.length === 0) return false
    schemas = collectJoinedSchemas(root, next)
  }
  return true
}

/** A schema, and all that are joined to it: choices count, since a call may take any of them. */
function collectJoinedSchemas(root: JsonObject, start: readonly JsonValue[]): Schemas {
  const all: JsonObject[] = []
  const waiting = [...start]
  const seen = new Set<JsonValue>()
  let open = false
  for (let schema = waiting.shift(); schema !== undefined; schema = waiting.shift()) {
    if (schema === true || seen.size > MOST_SCHEMAS) open = true
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    all.push(schema)
    for (const name of LISTS) waiting.push(...listOf(schema[name]))
    for (const name of SINGLE) if (schema[name] !== undefined) waiting.push(schema[name])
    if (schema.$dynamicRef !== undefined) open = true
    if (schema.$ref === undefined) continue
    const target = resolveReference(root, schema.$ref)
    if (target === undefined) open = true
    else waiting.push(target)
  }
  return { all, open }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** Within the document, by its pointer. */
function resolveReference(root: JsonObject, ref: JsonValue): JsonValue | undefined {
  if (ref === '#') return root
  if (typeof ref !== 'string' || !ref.startsWith('#/') || ref.includes('%')) return undefined
  let value: JsonValue | undefined = root
  for (const token of ref.slice(2).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** What a schema says of a member; null where it says nothing of any. */
function stepInto(schema: JsonObject, name: string): readonly JsonValue[] | null {
  if (name === '*' || isIndex(name)) {
    const items = [...listOf(schema.prefixItems), ...toList(schema.items)]
    if (items.length > 0) return items.filter((item) => item !== false)
    if (name === '*') return null
  }
  const { properties, patternProperties, additionalProperties } = schema
  const named = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
  const patterned = isObject(patternProperties) ? Object.values(patternProperties) : []
  const others = isObject(additionalProperties) ? [additionalProperties] : []
  const found = [...named, ...patterned, ...others].filter((one) => one !== undefined)
  if (found.length > 0) return found.filter((one) => one !== false)
  const lists = isObject(properties) || isObject(patternProperties)
  return lists || additionalProperties === false ? [] : null
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : [value]
}

/** A schema that names no members may have any, if its type has members at all. */
function isMemberAdmitted({ type }: JsonObject, name: string): boolean {
  if (type === undefined) return true
  const types = Array.isArray(type) ? type : [type]
  const isList = name === '*'
  return types.includes(isList ? 'array' : 'object') || (isIndex(name) && types.includes('array'))
}

function isIndex(name: string): boolean {
  return /^(0|[1-9][0-9]{0,8})$/.test(name)
}
