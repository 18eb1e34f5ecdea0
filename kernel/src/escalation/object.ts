/** What a proposal is about, in as few words as a row of a list has room for. */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { findSubject } from './acknowledgement.ts'
import { quoteText } from './quoted-text.ts'

/** What a capability says about how its object is named. */
export type ObjectNaming = Pick<CapabilityDescription, 'scopes' | 'params'>

/** Of an action that no capability answers. */
export const UNKNOWN_NAMING: ObjectNaming = { scopes: {}, params: {} }

const NAMED = 3
const LONGEST = 80

/**
 * The resources that it names, or else its first parameters, in the order in which the schema requires them: whoever wrote
 * it puts first what matters, and the order of a list survives canonical bytes. Parameters are the agent's words.
 */
export function describeObject(
  { scopes, params: schema }: ObjectNaming,
  params: JsonObject,
): string {
  const subject = findSubject(scopes, params)
  if (subject !== undefined) return subject
  const scalars = listOrdered(params, schema).filter(([, value]) => isScalar(value))
  const words = scalars
    .slice(0, NAMED)
    .map(([name, value]) => `${quoteStart(name)} ${quoteStart(value)}`)
  return shortenText(words.join(', '))
}

function listOrdered(
  params: JsonObject,
  { required }: JsonObject,
): readonly (readonly [name: string, value: JsonValue])[] {
  const names = Array.isArray(required) ? required : []
  const first = names.flatMap((name) => {
    const value = typeof name === 'string' && Object.hasOwn(params, name) ? params[name] : undefined
    return typeof name === 'string' && value !== undefined ? [[name, value] as const] : []
  })
  const named = new Set<JsonValue>(names)
  const rest = Object.entries(params).filter(([name]) => !named.has(name))
  return [...first, ...rest]
}

function isScalar(value: JsonValue): boolean {
  return value !== null && !Array.isArray(value) && !isObject(value)
}

/** One character more than there is room for, so that what was cut is shown to be: an agent may have written a page. */
function quoteStart(value: JsonValue): string {
  return quoteText(typeof value === 'string' ? takeStart(value, LONGEST + 1) : value)
}

function shortenText(text: string): string {
  const start = takeStart(text, LONGEST)
  return start === text ? text : `${start}…`
}

/** Cut between characters, each of which is one unit or two. */
function takeStart(text: string, most: number): string {
  return [...text.slice(0, 2 * most)].slice(0, most).join('')
}
