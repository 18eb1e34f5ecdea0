/**
 * The authority of a store that others write to as well. What was added since the start is taken up only
 * where it has its place in the tree that was signed: otherwise whoever can write to the database could
 * repeat an entry that an operator signed once, and something would be decided under it before anybody
 * places it.
 *
 * What it ends with, the tree says; from there every entry names the one before it.
 */
import { AUTHORITY, type Entry, LIMITS } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { ManifestSource } from '../../ports/manifest-source.ts'
import type { Deps } from '../deps.ts'
import { findEntryProblem } from '../rows/tree-check.ts'
import { storeManifest } from './authority-cache.ts'

/** Before anything is signed here, the start looks at all of it (open-ledger.ts). */
export function createVouchedManifest(
  deps: Pick<Deps, 'store' | 'sha256'>,
  isSigning: () => boolean,
): ManifestSource {
  const plain = storeManifest(deps.store)
  return {
    head: plain.head,
    entries: async (from, limit) => {
      const { store } = deps
      if (store.lastPlaced === undefined || !isSigning()) return plain.entries(from, limit)
      const last = await store.lastPlaced(AUTHORITY)
      const rest = await readUntil(deps, from, last?.seq ?? -1)
      const end = rest.at(-1)
      if (end !== undefined && end.id !== last?.id)
        throw buildChangedError(end, 'it is not the last one')
      return rest.slice(0, limit)
    },
  }
}

/** Those up to `to`, each of which fits its own hashes and follows the one before. */
async function readUntil(
  { store, sha256 }: Pick<Deps, 'store' | 'sha256'>,
  from: number,
  to: number,
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (let next = from; next <= to; next = from + entries.length) {
    const limit = Math.min(LIMITS.entriesPerPage, to - next + 1)
    const page = await store.listEntries(AUTHORITY, next, limit)
    if (page.length === 0) throw new HeadMismatch(`the authority entry ${next} is gone`)
    for (const entry of page) {
      const { seq, parent } = entry.envelope
      const before = entries.at(-1)
      // What authority rests on is never erased.
      const missing = entry.payload === null ? 'its payload is gone' : undefined
      const problem = missing ?? findEntryProblem(entry, sha256)
      if (problem !== undefined) throw buildChangedError(entry, problem)
      if (seq !== from + entries.length || (before !== undefined && parent !== before.id))
        throw buildChangedError(entry, 'it does not follow the one before it')
      entries.push(entry)
    }
  }
  return entries
}

function buildChangedError({ envelope }: Entry, problem: string): HeadMismatch {
  return new HeadMismatch(`the authority entry ${envelope.seq}: ${problem}`)
}
