/** What a call of a client is known by, so that it is not carried out twice: its id in the conversation, and the key of the client. */
import type { ActNames } from 'rubicon-agents'
import { LIMITS } from 'rubicon-kernel'

const KEY = 'rubicon/idempotencyKey'

export const UNREADABLE_KEY: string = `\`_meta["${KEY}"]\` is no text of 1 to ${LIMITS.noteLength} characters.`

/**
 * Null: the key cannot be read; whoever sends one relies on it. An id counts as its JSON text, since `1` and `"1"` are two calls, and
 * not at all where nobody vouches that ids are not given twice.
 */
export function readCallNames(
  conversation: string | undefined,
  id: string | number,
  meta: Readonly<Record<string, unknown>> | undefined,
): ActNames | null {
  const key = meta?.[KEY]
  if (key !== undefined && !isName(key)) return null
  const named = JSON.stringify(id)
  // A longer one is nobody's counter: the call is then known by its key and by what it asks for.
  const isCounted = conversation !== undefined && named.length <= LIMITS.noteLength
  return {
    ...(isCounted ? { call: { conversation, id: named } } : {}),
    ...(key === undefined ? {} : { key }),
  }
}

function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= LIMITS.noteLength &&
    value.isWellFormed()
  )
}
