/**
 * Reads a regular file whole, or not at all.
 *
 * The size is known before anything is read, and no more than the limit is ever read: a file may grow, and `/dev` is full of files
 * without an end. A file that changes while it is read is refused.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { createFileProblem, describeDiskError, type FileProblem } from './file-problem.ts'

/** Of a path that was followed without links. What is a link by now is refused by the system. */
export function readRegularFile(
  path: string,
  id: string,
): Result<{ readonly bytes: Uint8Array; readonly stats: Stats }, FileProblem> {
  let file: number | null = null
  try {
    // Without O_NONBLOCK a pipe that took the place of the file would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile())
      return err(createFileProblem('FILE_IRREGULAR', id, `\`${id}\` is no regular file`))
    if (stats.size > ARTIFACT_LIMITS.fileBytes) return err(createSizeProblem(id, stats.size))
    const bytes = readAll(file, stats.size)
    const after = fstatSync(file)
    if (bytes.length !== stats.size || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs)
      return err(createFileProblem('FILE_CHANGED', id, `\`${id}\` changed while it was read`))
    return ok({ bytes, stats })
  } catch (error) {
    return err(describeDiskError(error, id, 'read'))
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** One byte more than it should have is enough to know that it grew. */
function readAll(file: number, size: number): Uint8Array {
  const buffer = Buffer.alloc(size + 1)
  let length = 0
  for (let read = -1; read !== 0 && length <= size; length += read)
    read = readSync(file, buffer, length, buffer.length - length, length)
  return buffer.subarray(0, length)
}

function createSizeProblem(id: string, size: number): FileProblem {
  return createFileProblem(
    'ARTIFACT_TOO_LARGE',
    id,
    `\`${id}\` has ${size} bytes, at most ${ARTIFACT_LIMITS.fileBytes}`,
  )
}
