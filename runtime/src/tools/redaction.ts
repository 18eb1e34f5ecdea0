/**
 * Removes secrets from what a provider or a program said, before anything of it is recorded. Servers echo
 * requests, and errors quote credentials: as they are, or in another coding.
 */
import type { JsonValue } from 'rubicon-kernel'

export const REDACTED = '[redacted]'

export interface Redaction {
  redactText(text: string): string
  redactJson(value: JsonValue): JsonValue
}

export function createRedaction(secrets: readonly string[]): Redaction {
  // The longest first: a form that begins another would leave its end behind.
  const forms = [...new Set(secrets.flatMap(listForms))].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(forms.map(escapePattern).join('|'), 'gi')
  const redactText = (text: string): string => {
    if (forms.length === 0) return text
    const redacted = text.replaceAll(pattern, REDACTED)
    return secrets.some((secret) => isHidden(redacted, secret)) ? REDACTED : redacted
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

/** The codings in which servers quote a header: JSON, percent, form, hex, base64 at each of its offsets. */
function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const percent = encodeURIComponent(secret)
  const plain = [
    secret,
    secret.trim(),
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    bytes.toString('hex'),
    ...listBase64Forms(bytes),
  ]
  // A form of a few characters would be found by chance.
  return plain.filter((form) => form.length >= 8)
}

/** Base64 says three bytes in four characters: what stands before a text shifts it. The edges are others' too. */
function listBase64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const from = offset === 0 ? 0 : offset + 1
    const isEven = (offset + bytes.length) % 3 === 0
    const middle = text.slice(from, isEven ? undefined : -1)
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Percent codings have many spellings, `%41` for `A` among them; what says it after decoding goes as a whole. */
function isHidden(text: string, secret: string): boolean {
  if (!text.includes('%')) return false
  const decoded = Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString()
  return decoded.includes(secret)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
