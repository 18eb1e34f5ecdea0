/** What a proposal is about, in as few words as a row of a list has room for. */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { findSubject } from './acknowledgement.ts'
import { quoteText } from './quoted-text.ts'

const NAMED = 3
const LONGEST = 80

/** The resources that it names, or else its first parameters. Parameters are the agent's words. */
export function describeObject(
  scopes: CapabilityDescription['scopes'],
  params: JsonObject,
): string {
  const subject = findSubject(scopes, params)
  if (subject !== undefined) return subject
  const scalars = Object.entries(params).filter(([, value]) => isScalar(value))
  const words = scalars
    .slice(0, NAMED)
    .map(([name, value]) => `${quoteText(name)} ${quoteText(value)}`)
  return shortenText(words.join(', '))
}

function isScalar(value: JsonValue): boolean {
  return value !== null && !Array.isArray(value) && !isObject(value)
}

/** Cut between characters. */
function shortenText(text: string): string {
  const characters = [...text]
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST).join('')}…`
}
