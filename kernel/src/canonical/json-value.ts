/** What strict JSON can say, and nothing else. Objects that we parse have no prototype. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** Whether it is an object, and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
