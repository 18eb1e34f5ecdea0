/** Reads entries a page at a time, so that a long ledger needs no long memory. */
import { LIMITS } from 'rubicon-kernel'
import { readLeafPage } from '../engine/ledger/leaf-page.ts'
import type { LeafEntry, Store, StoredEntry } from '../ports/store.ts'

/** The first `size` entries of the tenant, in tree order; without those before `first`. */
export async function* readLeafPages(
  store: Store,
  size: number,
  first = 0,
  perPage: number = LIMITS.entriesPerPage,
): AsyncGenerator<readonly LeafEntry[]> {
  for (let from = first; from < size; ) {
    const page = await readLeafPage(store, from, Math.min(perPage, size - from))
    if (page.length === 0) return
    yield page
    from += page.length
  }
}

export async function* readTrajectoryPages(
  store: Store,
  trajectory: string,
): AsyncGenerator<readonly StoredEntry[]> {
  for (let from = 0; ; ) {
    const page = await store.listEntries(trajectory, from, LIMITS.entriesPerPage)
    if (page.length === 0) return
    yield page
    from += page.length
  }
}
