/** What bytes are known by: their SHA-256, as any other tool computes it. */
import { hash } from 'node:crypto'

export type ContentHash = `sha256:${string}`

export function computeContentHash(bytes: Uint8Array): ContentHash {
  return `sha256:${hash('sha256', bytes, 'hex')}`
}

export function isContentHash(value: unknown): value is ContentHash {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)
}
