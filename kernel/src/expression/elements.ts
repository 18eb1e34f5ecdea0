import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { parsePointer } from '../proposal/pointer.ts'
import { stepInto } from './read-at.ts'

/** All that a pointer leads to. If one leads nowhere, an amount would be left out: that is no sum. */
export function listElements(
  params: JsonObject,
  of: string,
  most: number,
): readonly JsonValue[] | 'absent' | 'overflow' {
  let level: readonly JsonValue[] = [params]
  for (const name of parsePointer(of) ?? []) {
    const next: JsonValue[] = []
    for (const value of level) {
      const found = name === '*' ? listItems(value) : listMember(value, name)
      if (found === undefined) return 'absent'
      if (next.length + found.length > most) return 'overflow'
      next.push(...found)
    }
    level = next
  }
  return level
}

function listItems(value: JsonValue): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined
}

function listMember(value: JsonValue, name: string): readonly JsonValue[] | undefined {
  const member = stepInto(value, name)
  return member === undefined ? undefined : [member]
}
