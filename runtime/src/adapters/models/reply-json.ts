/** What providers send as JSON, read as strictly as everything else: two readers of it see the same. */
import { type JsonValue, LIMITS, parseJson } from 'rubicon-kernel'
import { buildInvalidReply } from './reply-draft.ts'

export function parseReplyJson(input: Uint8Array | string, bytes: number): JsonValue {
  const parsed = parseJson(input, { ...LIMITS.json, keys: LIMITS.modelReplyKeys, bytes })
  if (!parsed.ok) throw buildInvalidReply(`${parsed.error.code}: ${parsed.error.detail}`)
  return parsed.value
}

/** One event of a stream: the stream as a whole has its bound elsewhere. */
export function parseEventJson(data: string): JsonValue {
  return parseReplyJson(data, LIMITS.modelReplyBytes)
}
