/**
 * Paths into parameters: JSON pointers (RFC 6901) in which `*` stands for each element of an array.
 *
 * A path names one place however the document is written: no member name can pretend to be a path
 * into another member. Own members only: `constructor` is not a parameter.
 */
import { isForbiddenKey } from '../canonical/forbidden-key.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { getOwn } from '../contract/own.ts'
import { LIMITS } from '../limits.ts'

/** The names on the way, unescaped. */
export type Pointer = readonly string[]

const EACH = '*'

/** Undefined for what is no pointer to a parameter; the pointer to all of them is none. */
export function parsePointer(text: string): Pointer | undefined {
  if (!text.startsWith('/') || text.length > LIMITS.pointerLength) return undefined
  const names: string[] = []
  for (const token of text.slice(1).split('/')) {
    const name = unescapeToken(token)
    if (name === undefined || isForbiddenKey(name)) return undefined
    names.push(name)
  }
  return names
}

export function formatPointer(names: Pointer): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** It names one place, and no element of an array stands for the others. */
export function isConcretePointer(text: string): boolean {
  return parsePointer(text)?.includes(EACH) === false
}

/** How a dotted name of version 1 is written now, for whoever still writes one. */
export function convertDottedName(dotted: string): string {
  return formatPointer(dotted.split('.'))
}

/**
 * One place that a pointer leads to. `absent`: nothing stands there. `blocked`: something stands in
 * the way that has no such member, so that nobody can say whether it means the same in other words.
 */
export type Located =
  | { readonly pointer: string; readonly kind: 'found'; readonly value: JsonValue }
  | { readonly pointer: string; readonly kind: 'absent' }
  | { readonly pointer: string; readonly kind: 'blocked' }

/** Every place that the pointer leads to, in the order of the document. */
export function resolvePointer(params: JsonObject, text: string): readonly Located[] {
  const names = parsePointer(text)
  if (names === undefined) return [{ pointer: text, kind: 'blocked' }]
  const located: Located[] = []
  walk(params, names, [], located)
  return located
}

function walk(
  value: JsonValue | undefined,
  ahead: Pointer,
  behind: Pointer,
  located: Located[],
): void {
  const [name, ...rest] = ahead
  if (value === undefined || (value === null && name !== undefined)) {
    located.push({ pointer: formatPointer([...behind, ...ahead]), kind: 'absent' })
  } else if (name === undefined) {
    located.push({ pointer: formatPointer(behind), kind: 'found', value })
  } else if (Array.isArray(value)) {
    walkList(value, name, rest, behind, located)
  } else if (isObject(value) && name !== EACH) {
    walk(getOwn(value, name), rest, [...behind, name], located)
  } else {
    located.push({ pointer: formatPointer([...behind, ...ahead]), kind: 'blocked' })
  }
}

function walkList(
  list: readonly JsonValue[],
  name: string,
  rest: Pointer,
  behind: Pointer,
  located: Located[],
): void {
  if (name === EACH) {
    for (const [index, item] of list.entries())
      walk(item, rest, [...behind, String(index)], located)
  } else if (isIndex(name)) {
    walk(list[Number(name)], rest, [...behind, name], located)
  } else {
    located.push({ pointer: formatPointer([...behind, name, ...rest]), kind: 'blocked' })
  }
}

const DIGITS = '0123456789'

/** Digits without a leading zero, and few of them. */
function isIndex(name: string): boolean {
  if (name === '0') return true
  if (name === '' || name.length > 9 || name.startsWith('0')) return false
  return [...name].every((digit) => DIGITS.includes(digit))
}

/** `~1` is a slash and `~0` a tilde; another tilde is a mistake. */
function unescapeToken(token: string): string | undefined {
  const [first = '', ...others] = token.split('~')
  if (others.some((part) => !part.startsWith('0') && !part.startsWith('1'))) return undefined
  return first + others.map((part) => (part.startsWith('1') ? '/' : '~') + part.slice(1)).join('')
}
