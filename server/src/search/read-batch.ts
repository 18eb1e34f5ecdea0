/** A page of the ledger as the index takes it in: what its entries change, and the rows that they touched. */
import { readLeafPage } from 'rubicon-runtime/engine/ledger'
import type { LeafEntry, Store } from 'rubicon-runtime/ports'
import { foldEntry, type KnownKind, listKnownKinds } from './fold-entry.ts'
import type { IndexBatch, IndexWriter } from './index-writer.ts'
import type { IndexPlace } from './read-place.ts'
import { readTouched } from './read-touched.ts'

/** Entries that are read together. */
const PAGE = 256

export type BatchStore = Pick<
  Store,
  'tenant' | 'countLeaves' | 'listLeaves' | 'readFlow' | 'listExecutions' | 'readRecord'
>

/** A page that has a damaged entry in it is taken one by one, up to that entry. Null: there is nothing to take in. */
export async function readIndexBatch(
  store: BatchStore,
  place: IndexPlace,
  writer: IndexWriter,
): Promise<IndexBatch | null> {
  const fold = (
    entries: readonly LeafEntry[],
    asked: readonly string[] = [],
  ): Promise<IndexBatch | null> => foldEntries(store, place, writer, entries, asked)
  const entries = await readLeafPage(store, place.leaf, PAGE).catch(() =>
    readLeafPage(store, place.leaf, 1),
  )
  // What no entry names must not stop the index: it is read again in its next turn.
  return fold(entries, writer.takeAskedOfEnded())
    .catch(() => fold(entries))
    .catch(() => fold(entries.slice(0, 1)))
}

async function foldEntries(
  store: BatchStore,
  place: IndexPlace,
  writer: IndexWriter,
  entries: readonly LeafEntry[],
  asked: readonly string[],
): Promise<IndexBatch | null> {
  const kinds = new Map<string, KnownKind>()
  const changes = entries.map((entry) => {
    for (const [name, known] of listKnownKinds(entry)) {
      kinds.set(name, known)
      place.kinds.set(name, known)
    }
    return foldEntry(entry, place.kinds)
  })
  const last = entries.at(-1)
  if (last === undefined && asked.length === 0) return null
  const touched = await readTouched(store, changes, asked, (dfid, which) =>
    writer.listRequests(dfid, which),
  )
  const leaf = last === undefined ? place.leaf : last.leaf + 1
  return { changes, touched, kinds, leaf, last: last?.id ?? null }
}
