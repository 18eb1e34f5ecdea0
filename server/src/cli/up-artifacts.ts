/**
 * The folder whose files agents change, of a server that `rubicon up` starts. It is that of the first tenant: the files of one are
 * nobody else's.
 *
 * What an agent may name as an artifact is handed to it and changed by it. So nothing that the law rests on lies there: no key, no
 * token, no ledger, but below a name that no artifact has, such as `.rubicon`.
 */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { findIdProblem } from 'rubicon-artifacts/files'
import type { Failure } from 'rubicon-kernel'
import type { RuntimeOptions } from 'rubicon-runtime/compose'
import type { StorePlace } from './call.ts'
import { CliFailure } from './failure.ts'
import { parseSqlitePath } from './open.ts'

export type ArtifactsPlace = {
  /** As somebody wrote it; undefined: there are no artifacts. */
  readonly folder: string | undefined
  readonly store: StorePlace['store']
  readonly stateDirectory: string
}

export function parseArtifacts(place: ArtifactsPlace): Pick<RuntimeOptions, 'artifacts'> {
  if (place.folder === undefined) return {}
  const refused = findFolderProblem(place)
  if (refused !== null) throw new CliFailure(refused)
  return { artifacts: { files: resolve(place.folder) } }
}

/** Null: it can be used. */
export function findFolderProblem({
  folder,
  store,
  stateDirectory,
}: ArtifactsPlace): Failure | null {
  const root = findFolder(folder ?? '')
  if (root === null)
    return createFailure(`\`${folder}\` is no folder`, 'make it, or name the folder of the project')
  const state = toRealPath(stateDirectory)
  if (isBelow(state, root))
    return createFailure(
      `\`${folder}\` lies in the state directory ${stateDirectory}`,
      'name the folder of the project',
    )
  const file = parseSqlitePath(store)
  const kept = [state, ...(file === undefined ? [] : [toRealPath(file)])]
  const open = kept.find((path) => isBelow(root, path) && isArtifactName(relative(root, path)))
  if (open === undefined) return null
  return createFailure(
    `${open} lies in \`${folder}\`, where agents read and write`,
    'keep it elsewhere with --state and --store, or below `.rubicon` in that folder',
  )
}

function findFolder(folder: string): string | null {
  try {
    const path = realpathSync(resolve(folder))
    return statSync(path).isDirectory() ? path : null
  } catch {
    return null
  }
}

/** Of what may not be there yet: its folders are looked at as far as they are. */
function toRealPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(toRealPath(above), relative(above, whole))
  }
}

/** Or the same. */
function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path
}

function isArtifactName(way: string): boolean {
  return way === '' || findIdProblem(way.split(sep).join('/')) === null
}

function createFailure(summary: string, fix: string): Failure {
  return {
    code: 'ARTIFACTS_FOLDER',
    summary,
    why: 'agents read and change what lies in that folder, and the law must not be among it',
    fix,
  }
}
