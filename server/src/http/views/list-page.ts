/**
 * Lists, a page at a time. A cursor names the last row of the page before, so that what is added or
 * goes meanwhile moves nothing. It is opaque: whoever makes one up is told that it is none.
 */
import { err, isIdentifier, ok, parseInstant, type Result } from 'rubicon-kernel'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import type { Reply } from '../schemas/route.ts'

type Query = Readonly<Record<string, string>>
/** The identifiers that the store needs to go on. */
type Place = readonly string[]

/** `rows`: one more than the page has, where there are more. */
export function buildPage<Row>(
  plural: string,
  rows: readonly Row[],
  limit: number,
  place: (row: Row) => Place,
): object {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? encodeCursor(place(last)) : null
  return { [plural]: shown, next }
}

export function encodeCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Undefined: the list is asked for from its beginning. */
export function parseCursor({ cursor }: Query, parts: number): Result<Place | undefined, Reply> {
  if (cursor === undefined) return ok(undefined)
  const place = parsePlace(Buffer.from(cursor, 'base64url').toString('utf8'))
  const isPlace = place?.length === parts && place.every(isIdentifier)
  // One that decodes to a place, but is not how we write it, is none of ours.
  return isPlace && encodeCursor(place) === cursor
    ? ok(place)
    : err(refuseQueryMember('cursor', 'it is no cursor'))
}

/** The same, where what the store needs are natural numbers. */
export function parseNumberCursor(
  query: Query,
  parts: number,
): Result<readonly number[] | undefined, Reply> {
  const place = parseCursor(query, parts)
  if (!place.ok || place.value === undefined) return place.ok ? ok(undefined) : place
  const isNatural = place.value.every((part) => /^(0|[1-9][0-9]{0,14})$/.test(part))
  return isNatural
    ? ok(place.value.map(Number))
    : err(refuseQueryMember('cursor', 'it is no cursor'))
}

function parsePlace(text: string): Place | null {
  try {
    const value: unknown = JSON.parse(text)
    const isList = Array.isArray(value) && value.every((part) => typeof part === 'string')
    return isList ? (value as Place) : null
  } catch {
    return null
  }
}

/** An instant of the query, in milliseconds. */
export function parseMoment(query: Query, name: string): Result<number | undefined, Reply> {
  const text = query[name]
  if (text === undefined) return ok(undefined)
  const moment = parseInstant(text)
  return moment === undefined ? err(refuseQueryMember(name, 'it is no instant in UTC')) : ok(moment)
}

function refuseQueryMember(name: string, detail: string): Reply {
  return refuseSchemaMismatch('query', [{ path: `/${name}`, detail }])
}
