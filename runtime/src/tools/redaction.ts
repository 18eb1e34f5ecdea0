/**
 * Removes secrets from what a provider or a program said, before anything of it is recorded. Servers echo
 * requests, and errors quote credentials: as they are, or in another coding.
 */
import type { JsonValue } from 'rubicon-kernel'
import {
  buildFormsPattern,
  isEscapedIn,
  listSecretForms,
} from '../adapters/secrets/secret-forms.ts'

export const REDACTED = '[redacted]'

export interface Redaction {
  redactText(text: string): string
  redactJson(value: JsonValue): JsonValue
}

export function createRedaction(secrets: readonly string[]): Redaction {
  const forms = secrets.flatMap(listSecretForms)
  const pattern = buildFormsPattern(forms)
  const redactText = (text: string): string => {
    if (forms.length === 0) return text
    const redacted = text.replaceAll(pattern, REDACTED)
    return secrets.some((secret) => isEscapedIn(redacted, secret)) ? REDACTED : redacted
  }
  return { redactText, redactJson: (value) => redactValue(value, redactText) }
}

function redactValue(value: JsonValue, redactText: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'number') {
    const text = String(value)
    return redactText(text) === text ? value : REDACTED
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redactText))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([name, member]) => [redactText(name), redactValue(member, redactText)] as const,
  )
  return Object.fromEntries(members)
}
