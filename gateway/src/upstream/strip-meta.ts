/**
 * What a server says beside a result, to whatever program reads it: in the result, in its parts and in resources that
 * are embedded in them. Data of the tool itself (`structuredContent`) is left as it is, and judged by its schema.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

const PARTS = ['content', 'contents', 'messages'] as const

export function stripMeta(result: JsonObject): JsonObject {
  const { _meta: _, ...others } = result
  const stripped: Record<string, JsonValue> = { ...others }
  for (const member of PARTS) {
    const parts = stripped[member]
    if (Array.isArray(parts)) stripped[member] = (parts as readonly JsonValue[]).map(stripPart)
  }
  return stripped
}

function stripPart(part: JsonValue): JsonValue {
  if (!isObject(part)) return part
  const { _meta: _, ...others } = part
  const stripped: Record<string, JsonValue> = { ...others }
  for (const member of ['content', 'resource'] as const) {
    const inner = stripped[member]
    if (inner !== undefined) stripped[member] = stripPart(inner)
  }
  return stripped
}
