/** The patches of the base case: RFC 7396, and objects patch the items of a list by name. */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'

/** Members that a stage expects to find, with null for nothing. */
const NULLABLE = new Set([
  'agent_window',
  'claim',
  'contract',
  'capability',
  'status',
  'purpose',
  'subject',
])

/** Null removes a member; of the facts that may be null it leaves null. */
export function patched(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...target }
  for (const [name, change] of Object.entries(patch)) {
    const before = merged[name]
    if (change === null && NULLABLE.has(name)) merged[name] = null
    else if (change === null) delete merged[name]
    else merged[name] = patchedValue(before, change)
  }
  return merged
}

function patchedValue(before: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isObject(change)) return change
  if (Array.isArray(before)) return patchedList(before, change)
  return patched(isObject(before) ? before : {}, change)
}

function patchedList(list: readonly JsonValue[], patch: JsonObject): readonly JsonValue[] {
  const items = new Map(list.map((item, index) => [nameOf(item, index), item]))
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) items.delete(name)
    else items.set(name, patchedValue(items.get(name), change))
  }
  return [...items.values()]
}

function nameOf(item: JsonValue, index: number): string {
  if (!isObject(item)) return String(index)
  const { path, measure, kind, id } = item
  if (typeof path === 'string') return path
  if (typeof measure === 'string' && typeof item.writ === 'string') return measure
  return typeof kind === 'string' && typeof id === 'string' ? `${kind}/${id}` : String(index)
}
