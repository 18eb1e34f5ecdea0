/** The way in: bytes that somebody has become a text of a format, or are refused before anything else reads them. */
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'
import type { ParsedText, ParseProblem } from '../tree/parsed.ts'
import type { Format } from './format.ts'

/** Why bytes are kept as what they are. */
export type ReadProblem = ParseProblem & {
  readonly code: 'ARTIFACT_TOO_LARGE' | 'ARTIFACT_UNREADABLE'
}

export function parseBytes(bytes: Uint8Array, format: Format): Result<ParsedText, ReadProblem> {
  const text = decodeBytes(bytes)
  if (!text.ok) return text
  const parsed = format.parse(text.value)
  return parsed.ok ? parsed : err({ code: 'ARTIFACT_UNREADABLE', ...parsed.error })
}

/** Strict: what is no UTF-8 would be written back as something else. A byte order mark stays. */
export function decodeBytes(bytes: Uint8Array): Result<string, ReadProblem> {
  if (bytes.length > ARTIFACT_LIMITS.bytes)
    return err({
      code: 'ARTIFACT_TOO_LARGE',
      detail: `it has more than ${ARTIFACT_LIMITS.bytes} bytes`,
      at: null,
    })
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return err({ code: 'ARTIFACT_UNREADABLE', detail: 'its bytes are no UTF-8', at: null })
  }
}
