/** Blobs in memory: for tests, and for what is only tried. */
import { err, ok } from 'rubicon-kernel'
import { type BlobStore, createMissingBlobProblem } from './blob-store.ts'
import { type ContentHash, computeContentHash } from './content-hash.ts'

export function createMemoryBlobs(): BlobStore {
  const kept = new Map<ContentHash, Uint8Array>()
  return {
    put: async (bytes) => {
      const hash = computeContentHash(bytes)
      // Whoever put them in may write over them.
      if (!kept.has(hash)) kept.set(hash, Uint8Array.from(bytes))
      return hash
    },
    get: async (hash) => {
      const bytes = kept.get(hash)
      return bytes === undefined ? err(createMissingBlobProblem(hash)) : ok(Uint8Array.from(bytes))
    },
    has: async (hash) => kept.has(hash),
  }
}
