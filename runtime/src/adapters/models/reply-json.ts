/** What providers send as JSON, read as strictly as everything else: two readers of it see the same. */
import { type JsonValue, LIMITS, parseJson } from 'rubicon-kernel'
import { buildInvalidReply } from './reply-draft.ts'

/**
 * `exact` where the arguments of tools are JSON in the reply: an amount must not change on its way. `nearest` where they
 * are text, and the numbers beside them are counts, and measurements that some servers write with too many digits.
 */
export type WireNumbers = 'exact' | 'nearest'

export function parseReplyJson(
  input: Uint8Array | string,
  bytes: number,
  numbers: WireNumbers,
): JsonValue {
  const parsed = parseJson(input, { ...LIMITS.json, keys: LIMITS.modelReplyKeys, bytes, numbers })
  if (!parsed.ok) throw buildInvalidReply(`${parsed.error.code}: ${parsed.error.detail}`)
  return parsed.value
}

/** One event of a stream: the stream as a whole has its bound elsewhere. */
export function parseEventJson(data: string, numbers: WireNumbers): JsonValue {
  return parseReplyJson(data, LIMITS.modelReplyBytes, numbers)
}
