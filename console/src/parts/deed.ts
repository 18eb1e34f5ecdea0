/** What a proposal would do, in one line: its kind, and what it is about. */
import { describeObject, type JsonObject } from 'rubicon-kernel'

export function describeDeed(kind: string | null, params: JsonObject): string {
  return `${kind ?? 'no proposal'} ${describeObject({}, params)}`.trimEnd()
}
