/** Reads a store together with archives. */

import {
  type AwayLeaves,
  joinArchives,
  listNamedArchives,
  readAwayLeaves,
} from 'rubicon-runtime/evidence/archive'
import type { Store } from 'rubicon-runtime/ports'
import { nodeCrypto } from 'rubicon-verifier'
import { assertOwnTenant } from './archive.ts'
import { openArchive, type ReadArchive } from './archive-file.ts'
import type { StorePlace } from './call.ts'
import { CliFailure } from './failure.ts'
import { readFromStore } from './open.ts'

/** The store as if what lies in these files had been put back. */
export async function readWithArchives<T>(
  place: StorePlace,
  paths: readonly string[],
  work: (store: Store, away: AwayLeaves) => Promise<T>,
): Promise<T> {
  return readFromStore(place, async (store) => {
    const opened: ReadArchive[] = []
    try {
      for (const path of paths) opened.push(openArchive(path))
      for (const archive of opened) assertOwnTenant(archive, store.tenant)
      await assertNamed(store, opened)
      const archives = new Map(opened.map((one) => [one.digest, one]))
      const away = await readAwayLeaves(store, new Set(archives.keys()), nodeCrypto.verifyEd25519)
      return await work(joinArchives(store, archives, nodeCrypto.sha256), away)
    } finally {
      for (const archive of opened) archive.close()
    }
  })
}

/** One that no note names was changed, or is another store's: nothing of it would be read. */
async function assertNamed(store: Store, opened: readonly ReadArchive[]): Promise<void> {
  if (opened.length === 0) return
  const named = new Set((await listNamedArchives(store)).map(({ archive }) => archive))
  const foreign = opened.find(({ digest }) => !named.has(digest))
  if (foreign === undefined) return
  throw new CliFailure({
    code: 'ARCHIVE_FOREIGN',
    summary: `no flow of this store is archived in \`${foreign.path}\``,
    why: `its digest is ${foreign.digest}: it was changed, or is that of another store`,
    fix: '`rubicon archive list` names the archives of the store by their SHA-256',
  })
}
