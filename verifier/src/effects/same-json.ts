import { isObject, type JsonValue } from 'rubicon-kernel'

/** Whether two documents have the same canonical form, without writing it. */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b)
  if (Array.isArray(b) || !isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
}

function isSameList(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((one, at) => isSameJson(one, b[at]))
}
