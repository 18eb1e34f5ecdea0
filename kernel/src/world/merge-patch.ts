import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'

/** RFC 7396: members of the patch replace, null removes, anything but an object replaces all. */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  const merged = copyMembers(isObject(target) ? target : {})
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete merged[name]
    else merged[name] = mergePatch(merged[name] ?? null, change)
  }
  return merged
}

/** The object with one member set. */
export function setMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const copy = copyMembers(object)
  copy[name] = value
  return copy
}

/** Without a prototype: a member called `__proto__` is a member here, not a way out. */
function copyMembers(object: JsonObject): Record<string, JsonValue> {
  return Object.assign(Object.create(null), object)
}
