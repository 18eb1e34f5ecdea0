/** What a proposal would do, in one line: its kind and the values that it names. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'

const LONGEST = 60

export function deedOf(kind: string | null, params: Partial<JsonObject>): string {
  const values = Object.values(params).filter(isPlain).map(String)
  const text = [kind ?? 'no proposal', ...values].join(' ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

function isPlain(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
