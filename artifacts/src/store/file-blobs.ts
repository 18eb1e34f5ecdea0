/**
 * Blobs in files: `ab/cdef…`, as git has them, so that no folder gets long.
 *
 * A blob is there whole or not at all: it is written beside, flushed, and gets its name then. It is hashed again when it is read. One that
 * is corrupt is written anew by whoever puts the same bytes.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from 'rubicon-kernel'
import { createWholeFile, NODE_DISK, removeIfThere } from '../files/disk.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { type BlobProblem, type BlobStore, createMissingBlobProblem } from './blob-store.ts'
import { type ContentHash, computeContentHash, isContentHash } from './content-hash.ts'

export type FileBlobsOptions = {
  /** False: whoever measures does not wait for the disk. */
  readonly flush?: boolean
}

export function createFileBlobs(
  folder: string,
  { flush = true }: FileBlobsOptions = {},
): BlobStore {
  const disk = flush ? NODE_DISK : { ...NODE_DISK, flush: () => {}, flushFolder: () => {} }
  const put = async (bytes: Uint8Array): Promise<ContentHash> => {
    const hash = computeContentHash(bytes)
    if (readBlob(folder, hash).ok) return hash
    const path = locateBlob(folder, hash)
    const drafts = join(folder, 'drafts')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    mkdirSync(drafts, { recursive: true, mode: 0o700 })
    const draft = join(drafts, randomUUID())
    createWholeFile(disk, draft, bytes, { mode: 0o600, owner: null })
    try {
      disk.rename(draft, path)
    } catch (error) {
      removeIfThere(disk.unlink, draft)
      throw error
    }
    disk.flushFolder(dirname(path))
    return hash
  }
  return {
    put,
    get: async (hash) => readBlob(folder, hash),
    has: async (hash) => readBlob(folder, hash).ok,
  }
}

function readBlob(folder: string, hash: ContentHash): Result<Uint8Array, BlobProblem> {
  if (!isContentHash(hash)) return err(createMissingBlobProblem(hash))
  const read = readRegularFile(locateBlob(folder, hash), hash)
  if (!read.ok)
    return err(
      read.error.code === 'FILE_MISSING'
        ? createMissingBlobProblem(hash)
        : { code: 'BLOB_UNREADABLE', hash, detail: read.error.detail },
    )
  const { bytes } = read.value
  if (computeContentHash(bytes) === hash) return ok(bytes)
  const detail = `what lies at \`${hash}\` has another hash: it was damaged or changed`
  return err({ code: 'BLOB_CORRUPT', hash, detail })
}

export function locateBlob(folder: string, hash: ContentHash): string {
  const digits = hash.slice('sha256:'.length)
  return join(folder, digits.slice(0, 2), digits.slice(2))
}
