/**
 * Whether a schema lets an agent send what it does not name: an object of any members, a list of anything, or any
 * value at all. Documents say so where they are silent, and so it is for somebody to decide.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

const SCALARS: readonly JsonValue[] = ['string', 'number', 'integer', 'boolean', 'null']

/** Of a schema that was converted: it has no references. */
export function isOpenSchema(schema: JsonValue): boolean {
  if (!isObject(schema)) return schema !== false
  if (Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const')) return false
  const { allOf, anyOf, oneOf } = schema
  // Each of several must hold, so that one that is closed closes it.
  if (Array.isArray(allOf) && allOf.length > 0 && !allOf.every(isOpenSchema)) return false
  const choice = anyOf ?? oneOf
  if (Array.isArray(choice) && choice.length > 0 && !choice.some(isOpenSchema)) return false
  const { type } = schema
  const types: readonly JsonValue[] = Array.isArray(type) ? type : [type ?? 'any']
  return types.some((one) => !SCALARS.includes(one) && isOpenAs(one, schema))
}

function isOpenAs(type: JsonValue, schema: JsonObject): boolean {
  if (type === 'object') return isOpenObject(schema)
  if (type === 'array') return isOpenSchema(schema.items ?? true)
  return true
}

function isOpenObject({ properties, additionalProperties }: JsonObject): boolean {
  if (additionalProperties !== false) return true
  return isObject(properties) && Object.values(properties).some(isOpenSchema)
}
