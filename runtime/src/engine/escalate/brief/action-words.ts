/** What is asked for, in as few words as a row of a list has room for. */
import {
  type CapabilityDescription,
  isObject,
  type JsonObject,
  type JsonValue,
  subjectOf,
} from 'rubicon-kernel'

const NAMED = 3
const LONGEST = 80

/** The resources that it names, or else its first parameters. Parameters are the agent's words. */
export function objectOf(
  description: Pick<CapabilityDescription, 'scopes'> | undefined,
  params: JsonObject,
): string {
  const subject = subjectOf(description?.scopes ?? {}, params)
  if (subject !== undefined) return subject
  const scalars = Object.entries(params).filter(([, value]) => isScalar(value))
  const words = scalars.slice(0, NAMED).map(([name, value]) => `${name} ${String(value)}`)
  return shortened(words.join(', '))
}

function isScalar(value: JsonValue): boolean {
  return value !== null && !Array.isArray(value) && !isObject(value)
}

/** Cut between characters. */
function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST).join('')}…`
}
