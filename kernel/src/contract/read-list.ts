/** Readers of lists and of maps with free names. */
import { isForbiddenKey } from '../canonical/forbidden-key.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { isRegexPattern, stripStar } from './pattern.ts'
import { readIdentifier } from './read-scalar.ts'
import { describeValue, type Place, type Read } from './reader.ts'

export function listOf<T>(read: Read<T>, most: number = LIMITS.json.keys): Read<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) {
      place.refuseValue(value, 'a list')
      return []
    }
    const items: readonly JsonValue[] = value
    if (items.length > most) place.refuse(`has more than ${most} entries`)
    return items.map((item, index) => read(item, place.stepInto(index)))
  }
}

/** A list in which nothing stands twice. */
export function createDistinctListReader(
  read: Read<string>,
  most?: number,
): Read<readonly string[]> {
  const list = listOf(read, most)
  return (value, place) => {
    const items = list(value, place)
    // Whoever wrote it chose how long it is: it is gone through once.
    const seen = new Set<string>()
    items.forEach((item, index) => {
      if (seen.has(item)) place.stepInto(index).refuse(`${describeValue(item)} stands here twice`)
      seen.add(item)
    })
    return items
  }
}

/** Policy kinds, by their full names: a contract lists what it allows. */
export const kinds: Read<readonly string[]> = createDistinctListReader(
  readIdentifier,
  LIMITS.writScopes,
)

/**
 * A value, a prefix ending in `*`, or `re:` and an expression. A star anywhere else is refused: who
 * writes `prod-*-eu` expects more than the star gives.
 */
export const readPattern: Read<string> = (value, place) => {
  if (typeof value !== 'string' || value.trim().length === 0) {
    place.refuseValue(value, 'text')
    return ''
  }
  if (!isRegexPattern(value) && stripStar(value).includes('*')) {
    place.refuse(`${describeValue(value)} has a \`*\` before its end`)
  }
  return value
}

export const patterns: Read<readonly string[]> = createDistinctListReader(readPattern)

/** A dotted name or a prefix of such names. */
export const readPathPattern: Read<string> = (value, place) => {
  const path = typeof value === 'string' ? stripStar(value) : ''
  if (value === '*' || (typeof value === 'string' && isIdentifier(path))) return value
  place.refuseValue(value, 'a name, or a prefix ending in `*`')
  return ''
}

/** Names are identifiers; the map has no prototype, so a name finds its own entry or nothing. */
export function createMapReader<T>(read: Read<T>): Read<Readonly<Record<string, T>>> {
  return (value, place) => {
    const map: Record<string, T> = Object.create(null)
    if (!isObject(value)) {
      place.refuseValue(value, 'a map')
      return map
    }
    for (const name of Object.keys(value)) {
      if (isName(name, place)) map[name] = read(value[name], place.stepInto(name))
    }
    return map
  }
}

export function isName(name: string, place: Place): boolean {
  const sound = isIdentifier(name) && !isForbiddenKey(name)
  if (!sound) place.stepInto(name).refuse(`${describeValue(name)} cannot be a name`)
  return sound
}
