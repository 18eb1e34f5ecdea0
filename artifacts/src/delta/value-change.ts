/** What a change does to a value, apart from how it is written. */
import { isObject, type JsonValue } from 'rubicon-kernel'
import type { PathSegment } from '../path/symbol-path.ts'

/** Undefined: nothing is at this place. */
export function readValueAt(value: JsonValue, path: readonly PathSegment[]): JsonValue | undefined {
  let found: JsonValue | undefined = value
  for (const { kind, name } of path) {
    if (kind === 'item' && Array.isArray(found)) found = found[Number(name)]
    else if (kind === 'key' && isObject(found) && Object.hasOwn(found, name)) found = found[name]
    else return undefined
  }
  return found
}

/** The same with another value at a place; `undefined` takes the member away. */
export function putValueAt(
  value: JsonValue,
  path: readonly PathSegment[],
  put: JsonValue | undefined,
): JsonValue | undefined {
  const [first, ...rest] = path
  if (first === undefined) return put
  if (Array.isArray(value)) {
    const index = Number(first.name)
    const changed = putValueAt(value[index] ?? null, rest, put)
    return changed === undefined ? value.toSpliced(index, 1) : value.toSpliced(index, 1, changed)
  }
  const copy: Record<string, JsonValue> = Object.assign(Object.create(null), value)
  const changed = putValueAt(copy[first.name] ?? null, rest, put)
  if (changed === undefined) delete copy[first.name]
  else copy[first.name] = changed
  return copy
}

/** The order of keys says nothing. */
export function isSameValue(one: JsonValue, other: JsonValue): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item: JsonValue, i) => isSameValue(item, other[i] ?? null))
  }
  if (!isObject(one) || !isObject(other)) return Object.is(one, other) || one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSameValue(one[name] ?? null, other[name] ?? null),
    )
  )
}

/** Whether anything of one container is in the other, at its place. */
export function hasCommonMember(before: JsonValue, after: JsonValue): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return before.length > 0 && after.length > 0
  if (!isObject(before) || !isObject(after)) return false
  return Object.keys(before).some((name) => Object.hasOwn(after, name))
}

/** Members that have to be set and taken away so that one container becomes the other. Null: they are not of one shape. */
export function listMemberChanges(
  before: JsonValue,
  after: JsonValue,
): readonly MemberChange[] | null {
  if (Array.isArray(before) && Array.isArray(after)) return listItemChanges(before, after)
  if (!isObject(before) || !isObject(after)) return null
  const names = Object.keys(after)
  return [
    ...names
      .filter((name) => !isSameMember(before, after, name))
      .map((name) => ({ kind: 'key', name, value: after[name] ?? null }) as const),
    ...Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .map((name) => ({ kind: 'key', name, value: undefined }) as const),
  ]
}

export type MemberChange = {
  readonly kind: 'key' | 'item'
  readonly name: string
  readonly value: JsonValue | undefined
}

/** Items behind the last are put in by their order; those that are gone are taken away from the end. */
function listItemChanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly MemberChange[] {
  const changes: MemberChange[] = []
  for (const [i, value] of after.entries()) {
    const old = before[i]
    if (old === undefined || !isSameValue(old, value))
      changes.push({ kind: 'item', name: String(i), value })
  }
  for (let i = before.length - 1; i >= after.length; i -= 1)
    changes.push({ kind: 'item', name: String(i), value: undefined })
  return changes
}

function isSameMember(
  before: { readonly [key: string]: JsonValue },
  after: { readonly [key: string]: JsonValue },
  name: string,
): boolean {
  const [one, other] = [before[name], after[name]]
  return Object.hasOwn(before, name) && one !== undefined && other !== undefined
    ? isSameValue(one, other)
    : false
}
