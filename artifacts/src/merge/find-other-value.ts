/**
 * Whether the value of a merged configuration is what both sides made of the base, key by key. What stands at one place of a text can
 * change the value at another: an anchor that is put in between, a merge of keys that brings back what was taken out.
 */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { isSameValue } from '../delta/value-change.ts'
import type { SideName } from './merge.ts'

/** Undefined: nothing is there. */
export type MergedValues = Readonly<Record<SideName | 'merged', JsonValue | undefined>>

/** The keys that lead to the first value that is another one; null: there is none. Lists that both changed are not compared. */
export function findOtherValue(values: MergedValues): readonly string[] | null {
  const { base, ours, theirs, merged } = values
  const all = [ours, theirs, merged]
  if (!all.every((one) => one !== undefined && isObject(one))) return isMade(values) ? null : []
  const keys = new Set([base, ...all].flatMap((one) => (one === undefined ? [] : listKeys(one))))
  for (const key of keys) {
    const within = findOtherValue({
      base: read(base, key),
      ours: read(ours, key),
      theirs: read(theirs, key),
      merged: read(merged, key),
    })
    if (within !== null) return [key, ...within]
  }
  return null
}

function isMade({ base, ours, theirs, merged }: MergedValues): boolean {
  if (isSame(ours, base)) return isSame(merged, theirs)
  return isSame(theirs, base) || isSame(ours, theirs) ? isSame(merged, ours) : true
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return isSameValue(one, other)
}

function listKeys(value: JsonValue): readonly string[] {
  return isObject(value) ? Object.keys(value) : []
}

function read(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return value !== undefined && isObject(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined
}
