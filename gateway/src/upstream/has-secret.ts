import { type JsonObject, toCanonicalText } from 'rubicon-kernel'
import type { Redaction } from 'rubicon-runtime/tools'

/** Whether something of what its server was given in secret stands in it. */
export function hasSecret(said: JsonObject, redaction: Redaction): boolean {
  return toCanonicalText(redaction.redactJson(said)) !== toCanonicalText(said)
}
