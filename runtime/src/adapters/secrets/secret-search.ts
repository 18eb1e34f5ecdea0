/**
 * Finds secrets in what somebody outside said: as they are, or in a coding in which servers quote what they were sent.
 * What holds one is replaced, or refused, before it is recorded.
 */
import { LIMITS } from 'rubicon-kernel'
import { decodeText } from './decode-text.ts'

export interface SecretSearch {
  isIn(text: string): boolean
  /** The text with `mark` in the place of secrets; `mark` alone where one hides in escapes. */
  replaceIn(text: string, mark: string): string
}

export function createSecretSearch(secrets: readonly string[]): SecretSearch {
  // The longest first: a form that begins another would leave its end behind.
  const forms = [...new Set(secrets.flatMap(listForms))].sort((a, b) => b.length - a.length)
  if (forms.length === 0) return { isIn: () => false, replaceIn: (text) => text }
  // What is short is found by chance, and all the more in another case.
  const flags = forms.every((form) => form.length >= LIMITS.secretShortest) ? 'gi' : 'g'
  const pattern = new RegExp(forms.map(escapePattern).join('|'), flags)
  const isPlain = (text: string): boolean => text.search(pattern) >= 0
  const isHidden = (text: string): boolean => decodeText(text).some(isPlain)
  return {
    isIn: (text) => isPlain(text) || isHidden(text),
    replaceIn(text, mark) {
      const replaced = text.replaceAll(pattern, mark)
      return isHidden(replaced) ? mark : replaced
    },
  }
}

/** JSON, percent, form, hex, base64 at each of its offsets. */
function listForms(secret: string): readonly string[] {
  if (secret === '') return []
  if (secret.length < LIMITS.secretShortest) return [secret]
  const bytes = Buffer.from(secret)
  const percent = encodeURIComponent(secret)
  const forms = [
    secret,
    secret.trim(),
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    bytes.toString('hex'),
    ...listBase64Forms(bytes),
  ]
  return forms.filter((form) => form.length >= LIMITS.secretShortest)
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

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
