/** Holds a format to the limits of all: whoever parses a text, on the way in or behind a change, is refused at once. */
import { err } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'
import type { Format } from './format.ts'

/** A text has at most as many characters as bytes. */
export function limitFormat(format: Format): Format {
  return {
    ...format,
    parse: (text) =>
      text.length > ARTIFACT_LIMITS.bytes
        ? err({ detail: `it has more than ${ARTIFACT_LIMITS.bytes} bytes`, at: null })
        : format.parse(text),
  }
}
