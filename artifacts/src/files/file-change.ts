/** What is to become of a file, and whether that can be written as things are. Nothing is changed here. */
import { accessSync, constants, readdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { type ContentHash, computeContentHash } from '../store/content-hash.ts'
import { foldName } from './artifact-id.ts'
import { createFileProblem, describeDiskError, type FileProblem } from './file-problem.ts'
import { type FilesRoot, findFile } from './files-root.ts'
import { readRegularFile } from './read-regular-file.ts'

export type FileChange = {
  readonly id: string
  /** The hash that the change was planned on; null: there is no such file. */
  readonly before: ContentHash | null
  /** Null: the file is removed. */
  readonly bytes: Uint8Array | null
}

export type CheckedChange = {
  readonly id: string
  readonly path: string
  readonly before: ContentHash | null
  readonly after: ContentHash | null
  readonly bytes: Uint8Array | null
  readonly stats: Stats | null
}

/** All of them, or the first reason why none of them can be written. Those that change nothing are left out. */
export function checkChanges(
  root: FilesRoot,
  changes: readonly FileChange[],
): Result<readonly CheckedChange[], FileProblem> {
  if (changes.length > ARTIFACT_LIMITS.writtenFiles)
    return err(
      createFileProblem(
        'ARTIFACT_TOO_LARGE',
        null,
        `${changes.length} files in one write, at most ${ARTIFACT_LIMITS.writtenFiles}`,
      ),
    )
  const names = new Map<string, string>()
  const checked: CheckedChange[] = []
  for (const change of changes) {
    const other = names.get(foldName(change.id))
    if (other !== undefined) return err(createCollision(change.id, other))
    names.set(foldName(change.id), change.id)
    const one = checkChange(root, change)
    if (!one.ok) return one
    if (one.value.before !== one.value.after) checked.push(one.value)
  }
  return ok(checked)
}

function checkChange(root: FilesRoot, change: FileChange): Result<CheckedChange, FileProblem> {
  const { id, before, bytes } = change
  const found = findFile(root, id)
  if (!found.ok) return found
  const { path, stats } = found.value
  if (bytes !== null && bytes.length > ARTIFACT_LIMITS.fileBytes)
    return err(
      createFileProblem('ARTIFACT_TOO_LARGE', id, `\`${id}\` would have ${bytes.length} bytes`),
    )
  const current = hashFile(path, id)
  if (!current.ok) return current
  if (current.value !== before) return err(createChangedProblem(id, current.value, before))
  const problem = stats === null ? findCollision(root, id) : findWriteProblem(path, id, stats)
  if (problem !== null) return err(problem)
  const after = bytes === null ? null : computeContentHash(bytes)
  return ok({ id, path, before, after, bytes, stats })
}

/** Null: nothing is there. */
export function hashFile(path: string, id: string): Result<ContentHash | null, FileProblem> {
  const read = readRegularFile(path, id)
  if (read.ok) return ok(computeContentHash(read.value.bytes))
  return read.error.code === 'FILE_MISSING' ? ok(null) : read
}

export function createChangedProblem(
  id: string,
  now: ContentHash | null,
  before: ContentHash | null,
): FileProblem {
  const detail =
    now === null
      ? `\`${id}\` is not there any more`
      : before === null
        ? `\`${id}\` is there by now`
        : `\`${id}\` has changed on the disk since it was read`
  return createFileProblem('FILE_CHANGED', id, `${detail}; nothing was written`)
}

/** A folder that may be written would let anybody replace a file that may not. */
function findWriteProblem(path: string, id: string, { mode }: Stats): FileProblem | null {
  const refuse = (): FileProblem =>
    createFileProblem('FILE_UNWRITABLE', id, `\`${id}\` may not be written`)
  if ((mode & 0o222) === 0) return refuse()
  try {
    accessSync(path, constants.W_OK)
    return null
  } catch {
    return refuse()
  }
}

/** A new name that is another's where letters have no case, on its way through every folder. */
function findCollision({ folder }: FilesRoot, id: string): FileProblem | null {
  const segments = id.split('/')
  for (const [index, segment] of segments.entries()) {
    const at = join(folder, ...segments.slice(0, index))
    let names: readonly string[]
    try {
      names = readdirSync(at)
    } catch (error) {
      const problem = describeDiskError(error, id, 'read')
      return problem.code === 'FILE_MISSING' ? null : problem
    }
    const other = names.find((name) => name !== segment && foldName(name) === foldName(segment))
    if (other !== undefined && !names.includes(segment))
      return createCollision(id, join(dirname(segments.slice(0, index + 1).join('/')), other))
  }
  return null
}

function createCollision(id: string, other: string): FileProblem {
  const detail = `\`${id}\` and \`${other}\` are one name where letters have no case`
  return createFileProblem('FILE_NAME_COLLISION', id, detail)
}
