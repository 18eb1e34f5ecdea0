/** What a proposal would do, in one line: its kind, and what it is about. */
import { describeObject, type JsonObject, UNKNOWN_NAMING } from 'rubicon-kernel'
import type { Namings } from '../api/use-namings.ts'

export function describeDeed(namings: Namings, kind: string | null, params: JsonObject): string {
  const naming = namings.get(kind ?? '') ?? UNKNOWN_NAMING
  return `${kind ?? 'no proposal'} ${describeObject(naming, params)}`.trimEnd()
}
