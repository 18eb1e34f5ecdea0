/** What the doctor asks of artifacts: that the folder can be used, and that what the ledger names is there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createFileBlobs, isContentHash, RootTree } from 'rubicon-artifacts/store'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import type { Context } from 'rubicon-runtime/engine'
import type { StorePlace } from './call.ts'
import {
  createFailedCheck,
  createPassedCheck,
  createWarningCheck,
  type DoctorCheck,
} from './doctor-check.ts'
import {
  formatOtherFiles,
  type KnownContents,
  listKnownContents,
  listOtherFiles,
  type NamedContent,
  OTHER_FILES_FIX,
} from './known-contents.ts'
import { findFolderProblem } from './up-artifacts.ts'

/** Contents that are read and hashed again; of records as many. */
const READ = 256

/** `folder`: what `--artifacts` says; undefined: nobody asked about one. */
export function checkArtifactsFolder(
  { store, state }: StorePlace,
  folder: string | undefined,
): readonly DoctorCheck[] {
  if (folder === undefined) return []
  const stateDirectory = state ?? resolveStateDirectory(store)
  const problem = findFolderProblem({ folder, store, stateDirectory })
  return [
    problem === null
      ? createPassedCheck('artifacts', `agents may work in ${folder}`)
      : createFailedCheck('artifacts', problem.summary, problem.fix ?? ''),
  ]
}

/** None where the ledger knows no artifacts. `files`: the folder that `--artifacts` says. */
export async function checkContents(
  context: Context,
  place: StorePlace,
  files: string | undefined,
): Promise<readonly DoctorCheck[]> {
  const known = await listKnownContents(context.store, context.sha256)
  if (known.files.length === 0) return []
  const contents = await checkBlobs(place, known)
  return files === undefined ? [contents] : [contents, checkFiles(files, known.files)]
}

function checkFiles(folder: string, known: readonly NamedContent[]): DoctorCheck {
  const { read, others } = listOtherFiles(folder, known)
  return others.length === 0
    ? createPassedCheck('files', `${read} files in ${folder} are as the ledger has them`)
    : createWarningCheck('files', formatOtherFiles(folder, read, others), OTHER_FILES_FIX)
}

async function checkBlobs(
  { store, state }: StorePlace,
  { files: named, records, root }: KnownContents,
): Promise<DoctorCheck> {
  const folder = join(state ?? resolveStateDirectory(store), 'artifacts')
  if (!existsSync(folder))
    return createWarningCheck(
      'contents',
      `${named.length} artifacts are known, and none of their contents is in ${folder}`,
      'restore the folder from a backup, unless the runtime keeps them elsewhere',
    )
  const blobs = createFileBlobs(folder)
  const read = [...named.slice(0, READ), ...records.slice(0, READ)]
  const bad: string[] = []
  for (const { name, hash } of read)
    if (!isContentHash(hash) || !(await blobs.get(hash)).ok) bad.push(name)
  const isTreeWhole = isContentHash(root) && (await new RootTree(blobs).list(root)).ok
  if (!isTreeWhole) bad.unshift('the list of all names')
  const shown = bad.slice(0, 3).join(', ')
  return bad.length === 0
    ? createPassedCheck(
        'contents',
        `${named.length} artifacts, ${read.length} contents read and as they were`,
      )
    : createFailedCheck(
        'contents',
        `${bad.length} of ${read.length + 1} are missing or damaged: ${shown}`,
        'restore them from a backup; the contents of a file are there again once it is adopted',
      )
}
