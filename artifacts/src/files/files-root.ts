/**
 * The folder that artifacts lie below, and the way to one of them.
 *
 * R1 below the root no symbolic link is followed, neither to read nor to write: each folder on the way is looked at by itself.
 * The root itself may be reached by links: it is resolved once. Whoever may exchange folders below it while a file is written may
 * write those files anyway.
 */
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from 'rubicon-kernel'
import { findIdProblem } from './artifact-id.ts'
import { createFileProblem, describeDiskError, type FileProblem } from './file-problem.ts'

export type FilesRoot = { readonly folder: string }

export function openFilesRoot(folder: string): Result<FilesRoot, FileProblem> {
  try {
    const real = realpathSync(folder)
    if (!statSync(real).isDirectory())
      return err(createFileProblem('FILE_IRREGULAR', null, `\`${folder}\` is no folder`))
    return ok({ folder: real })
  } catch (error) {
    return err(describeDiskError(error, folder, 'read'))
  }
}

export type FoundFile = {
  readonly path: string
  /** Null: nothing is there. */
  readonly stats: Stats | null
}

/** Where an artifact lies; what is there is a regular file, or nothing. */
export function findFile(root: FilesRoot, id: string): Result<FoundFile, FileProblem> {
  const problem = findIdProblem(id)
  return problem === null ? followSegments(root, id, id.split('/')) : err(problem)
}

/** Also to what tools keep for themselves. */
export function followSegments(
  { folder }: FilesRoot,
  id: string,
  segments: readonly string[],
): Result<FoundFile, FileProblem> {
  let path = folder
  for (const [index, segment] of segments.entries()) {
    path = join(path, segment)
    const stats = lookAt(path, id)
    if (!stats.ok) return stats
    const isLast = index === segments.length - 1
    if (stats.value === null) return ok({ path: join(folder, ...segments), stats: null })
    if (stats.value.isSymbolicLink())
      return err(
        createFileProblem(
          'FILE_LINK',
          id,
          `\`${segments.slice(0, index + 1).join('/')}\` is a symbolic link`,
        ),
      )
    if (isLast && stats.value.isFile()) return ok({ path, stats: stats.value })
    if (isLast || !stats.value.isDirectory())
      return err(
        createFileProblem(
          'FILE_IRREGULAR',
          id,
          `\`${segments.slice(0, index + 1).join('/')}\` is no ${isLast ? 'regular file' : 'folder'}`,
        ),
      )
  }
  return ok({ path, stats: null })
}

function lookAt(path: string, id: string): Result<Stats | null, FileProblem> {
  try {
    return ok(lstatSync(path, { throwIfNoEntry: false }) ?? null)
  } catch (error) {
    return err(describeDiskError(error, id, 'read'))
  }
}
