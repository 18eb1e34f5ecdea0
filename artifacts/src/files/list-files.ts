/** The files of a folder, by the ids of their artifacts. What cannot be an artifact is named with its reason, and never followed. */
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { findNameProblem, foldName, isKeptName } from './artifact-id.ts'
import { createFileProblem, describeDiskError, type FileProblem } from './file-problem.ts'
import type { FilesRoot } from './files-root.ts'

export type ListedFiles = {
  /** In the order of their code units. */
  readonly ids: readonly string[]
  readonly problems: readonly FileProblem[]
}

/** Made by package managers from what is listed elsewhere. */
const MADE = 'node_modules'

/** Below `under`, a folder of the root; all of it where nothing is said. */
export function listFiles({ folder }: FilesRoot, under = ''): ListedFiles {
  const ids: string[] = []
  const problems: FileProblem[] = []
  const open = [under]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.split('/').length > ARTIFACT_LIMITS.folderDepth) {
      problems.push(createFileProblem('FILE_NAME_INVALID', at, `\`${at}\` lies too deep`))
      continue
    }
    for (const entry of readEntries(folder, at, problems)) {
      const id = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) open.push(id)
      else if (entry.isFile()) ids.push(id)
      else problems.push(refuseEntry(entry, id))
    }
    if (ids.length > ARTIFACT_LIMITS.files) {
      const detail = `there are more than ${ARTIFACT_LIMITS.files} files`
      return { ids: [], problems: [createFileProblem('ARTIFACT_TOO_LARGE', null, detail)] }
    }
  }
  return { ids: ids.sort(), problems }
}

/** Without those that have no name here; of names that are one elsewhere, none. */
function readEntries(folder: string, at: string, problems: FileProblem[]): readonly Dirent[] {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(join(folder, at), { withFileTypes: true })
  } catch (error) {
    problems.push(describeDiskError(error, at, 'read'))
    return []
  }
  const seen = Map.groupBy(entries, ({ name }) => foldName(name))
  return entries.filter(({ name }) => {
    if (isKeptName(name) || name === MADE) return false
    const problem = findEntryProblem(name, seen.get(foldName(name)) ?? [])
    if (problem === null) return true
    const id = at === '' ? name : `${at}/${name}`
    problems.push(createFileProblem(problem.code, id, `\`${id}\`: ${problem.detail}`))
    return false
  })
}

function findEntryProblem(
  name: string,
  same: readonly Dirent[],
): { readonly code: 'FILE_NAME_INVALID' | 'FILE_NAME_COLLISION'; readonly detail: string } | null {
  const detail = findNameProblem(name)
  if (detail !== null) return { code: 'FILE_NAME_INVALID', detail }
  const other = same.find((entry) => entry.name !== name)
  if (other === undefined) return null
  return {
    code: 'FILE_NAME_COLLISION',
    detail: `\`${other.name}\` differs from it only in case or composition`,
  }
}

function refuseEntry(entry: Dirent, id: string): FileProblem {
  return entry.isSymbolicLink()
    ? createFileProblem('FILE_LINK', id, `\`${id}\` is a symbolic link, and not followed`)
    : createFileProblem('FILE_IRREGULAR', id, `\`${id}\` is no regular file`)
}
