/**
 * Parameters as a log may show them. A value is shown where the capability's schema says so, in
 * `"x-log": "plain"`; elsewhere its type and length. Members that the schema does not name were named
 * by an agent, and are left out.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { ShownParams } from '../../ports/telemetry.ts'

/** Longer texts are no ids or amounts, whatever their schema says. */
const PLAIN_LENGTH = 128

export function showParams(schema: JsonObject, params: JsonObject): ShownParams {
  const { properties } = schema
  if (!isObject(properties)) return {}
  const shown: Record<string, ShownParams[string]> = {}
  for (const [name, member] of Object.entries(properties)) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value !== undefined) shown[name] = showValue(isObject(member) ? member : {}, value)
  }
  return shown
}

type Scalar = string | number | boolean

function showValue(schema: JsonObject, value: JsonValue): ShownParams[string] {
  if (isObject(value))
    return isObject(schema.properties)
      ? showParams(schema, value)
      : `object(${Object.keys(value).length})`
  if (!isScalar(value)) return value === null ? 'null' : `array(${value.length})`
  const isLong = typeof value === 'string' && value.length > PLAIN_LENGTH
  if (schema['x-log'] === 'plain' && !isLong) return value
  return typeof value === 'string' ? `string(${value.length})` : typeof value
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
