/** The auditor's own hash, canonical JSON and addresses: written again, so that a mistake in ours shows. */
import { hash } from 'node:crypto'

export function computeSha256(data: Uint8Array | string): Buffer {
  return hash('sha256', data, 'buffer')
}

export function computeAddress(type: string, text: string): string {
  return `sha256:${hash('sha256', `rubicon/${type}/v1\0${text}`, 'hex')}`
}

/** RFC 8785 of a value that came out of JSON.parse. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value).sort()
  const read = value as Readonly<Record<string, unknown>>
  return `{${members.map((name) => `${JSON.stringify(name)}:${toCanonicalJson(read[name])}`).join(',')}}`
}
