/** What the doctor asks of artifacts: that the folder can be used, and that what the ledger names is there. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createFileBlobs, isContentHash } from 'rubicon-artifacts/store'
import { encodeHex, hashResourceKey, isObject, MAIN } from 'rubicon-kernel'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import type { Context } from 'rubicon-runtime/engine'
import type { StorePlace } from './call.ts'
import {
  attachRepair,
  createFailedCheck,
  createPassedCheck,
  createWarningCheck,
  type DoctorCheck,
} from './doctor-check.ts'
import { findFolderProblem } from './up-artifacts.ts'

/** Contents that are read and hashed again, and resources that are looked at for it. */
const READ = 256
const LOOKED_AT = 20_000
const PAGE = 1_000

/** `folder`: what `--artifacts` says; undefined: nobody asked about one. */
export function checkArtifactsFolder(
  { store, state }: StorePlace,
  folder: string | undefined,
): readonly DoctorCheck[] {
  if (folder === undefined) return []
  const stateDirectory = state ?? resolveStateDirectory(store)
  const problem = findFolderProblem({ folder, store, stateDirectory })
  if (problem === null) return [createPassedCheck('artifacts', `agents may work in ${folder}`)]
  const failed = createFailedCheck('artifacts', problem.summary, problem.fix ?? '')
  if (existsSync(folder)) return [failed]
  const what = `make the folder ${folder}`
  return [attachRepair(failed, { what, run: () => void mkdirSync(folder, { recursive: true }) })]
}

/** None where the ledger knows no artifacts. */
export async function checkContents(
  context: Context,
  { store, state }: StorePlace,
): Promise<readonly DoctorCheck[]> {
  const named = await listContents(context)
  if (named.length === 0) return []
  const folder = join(state ?? resolveStateDirectory(store), 'artifacts')
  if (!existsSync(folder))
    return [
      createWarningCheck(
        'contents',
        `${named.length} artifacts are known, and none of their contents is in ${folder}`,
        'restore the folder from a backup, unless the runtime keeps them elsewhere',
      ),
    ]
  const blobs = createFileBlobs(folder)
  const read = named.slice(0, READ)
  const bad: string[] = []
  for (const { name, hash } of read)
    if (!isContentHash(hash) || !(await blobs.get(hash)).ok) bad.push(name)
  const shown = bad.slice(0, 3).join(', ')
  return [
    bad.length === 0
      ? createPassedCheck(
          'contents',
          `${named.length} artifacts, ${read.length} read and as they were`,
        )
      : createFailedCheck(
          'contents',
          `${bad.length} of ${read.length} are missing or damaged: ${shown}`,
          'restore them from a backup, or adopt the files as they are now',
        ),
  ]
}

type NamedContent = { readonly name: string; readonly hash: unknown }

/** Of `main`, as it stands. */
async function listContents({ store, sha256 }: Context): Promise<readonly NamedContent[]> {
  const found: NamedContent[] = []
  let after: string | null = null
  for (let seen = 0; seen < LOOKED_AT; seen += PAGE) {
    const page: Awaited<ReturnType<typeof store.listWorld>> = await store.listWorld(
      MAIN,
      after,
      PAGE,
    )
    for (const { kind, id, value, retracted } of page)
      if (kind === 'artifact' && !retracted && isObject(value))
        found.push({ name: id, hash: value.content_hash })
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = encodeHex(hashResourceKey(last.kind, last.id, sha256))
  }
  return found
}
