/** What nothing reads: it is known by its hash alone, and changed as a whole. */
import { encodeHex, type Sha256 } from 'rubicon-kernel'
import { findFormat } from '../formats.ts'
import { decodeBytes } from '../parse-bytes.ts'

export type BinaryArtifact = {
  readonly type: 'binary'
  readonly media: 'application/octet-stream'
  /** SHA-256 of the bytes, as any other tool computes it. */
  readonly content_hash: string
  readonly size: number
  readonly why: 'no_format' | 'no_utf8' | 'too_large'
}

/** Null: a format reads it. Whether it parses is not asked: a source with a mistake in it is still a source. */
export function readBinary(name: string, bytes: Uint8Array, sha256: Sha256): BinaryArtifact | null {
  const why = findWhy(name, bytes)
  if (why === null) return null
  return {
    type: 'binary',
    media: 'application/octet-stream',
    content_hash: `sha256:${encodeHex(sha256(bytes))}`,
    size: bytes.length,
    why,
  }
}

function findWhy(name: string, bytes: Uint8Array): BinaryArtifact['why'] | null {
  if (findFormat(name) === undefined) return 'no_format'
  const text = decodeBytes(bytes)
  if (text.ok) return null
  return text.error.code === 'ARTIFACT_TOO_LARGE' ? 'too_large' : 'no_utf8'
}
