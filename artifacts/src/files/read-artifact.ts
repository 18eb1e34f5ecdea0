/** Reads a file as an artifact: its bytes are the truth, its text is there where they are UTF-8. */
import { err, ok, type Result } from 'rubicon-kernel'
import { findFormat } from '../formats/formats.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { type ContentHash, computeContentHash } from '../store/content-hash.ts'
import { createFileProblem, type FileProblem } from './file-problem.ts'
import { type FilesRoot, findFile } from './files-root.ts'
import { readRegularFile } from './read-regular-file.ts'

export type FileArtifact = {
  readonly id: string
  readonly type: 'code' | 'config' | 'spec' | 'binary'
  readonly media: string
  readonly bytes: Uint8Array
  /** Null: the bytes are no UTF-8, or too many to be parsed. */
  readonly text: string | null
  readonly hash: ContentHash
  readonly mode: number
}

export function readArtifact(root: FilesRoot, id: string): Result<FileArtifact, FileProblem> {
  const found = findFile(root, id)
  if (!found.ok) return found
  const { path, stats } = found.value
  if (stats === null) return err(createFileProblem('FILE_MISSING', id, `there is no \`${id}\``))
  const read = readRegularFile(path, id)
  return read.ok ? ok(toArtifact(id, read.value.bytes, read.value.stats.mode)) : read
}

export function toArtifact(id: string, bytes: Uint8Array, mode: number): FileArtifact {
  const text = bytes.length > ARTIFACT_LIMITS.bytes ? null : decodeStrictly(bytes)
  const format = text === null ? undefined : findFormat(id)
  return {
    id,
    type: format?.type ?? 'binary',
    media: format?.media ?? (text === null ? 'application/octet-stream' : 'text/plain'),
    bytes,
    text,
    hash: computeContentHash(bytes),
    mode: mode & 0o7777,
  }
}

/** A byte order mark stays a character of the text. Null: it is no UTF-8. */
export function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
