/** Where bytes lie, by their hash. What lies there is never changed: another text is another blob. */
import type { Result } from 'rubicon-kernel'
import type { ContentHash } from './content-hash.ts'

export type BlobProblem = {
  readonly code: 'BLOB_MISSING' | 'BLOB_CORRUPT' | 'BLOB_UNREADABLE'
  readonly hash: ContentHash
  readonly detail: string
}

export interface BlobStore {
  /** When it returns, the bytes are kept. */
  put(bytes: Uint8Array): Promise<ContentHash>
  /** What comes back has that hash: bytes that do not are said to be corrupt, and are not handed out. */
  get(hash: ContentHash): Promise<Result<Uint8Array, BlobProblem>>
  has(hash: ContentHash): Promise<boolean>
}

export function createMissingBlobProblem(hash: ContentHash): BlobProblem {
  return { code: 'BLOB_MISSING', hash, detail: `\`${hash}\` is not in the store` }
}

/** Of a text, or of a value as JSON. */
export function putText(blobs: BlobStore, text: string): Promise<ContentHash> {
  return blobs.put(new TextEncoder().encode(text))
}
