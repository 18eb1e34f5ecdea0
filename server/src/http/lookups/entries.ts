/** Entries of the ledger: found, and one of them as it was hashed. */
import { createFactsReader, type FactsReader, findEntries } from 'rubicon-runtime/engine/ledger'
import { Prover } from 'rubicon-runtime/evidence'
import type { Store } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { type Pause, SlowReads } from '../turns/slow-reads.ts'
import {
  buildProofView,
  findNeighbours,
  toHashedView,
  toLedgerEntryView,
  toLedgerRowView,
} from '../views/ledger-view.ts'
import { encodeCursor, parseNumberCursor } from '../views/list-page.ts'
import { parseLedgerQuery } from './ledger-query.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'
import { refuseFilter, type Search } from './search.ts'

export function createEntryLookups(
  { store, clock, sha256 }: LookupParts,
  index: Search,
): Pick<LookupTable, 'findEntries' | 'getEntry'> {
  const searches = new SlowReads(clock)
  const prover = new Prover(store, sha256)
  const factsOf = createFactsReader(store)
  return {
    async findEntries(question) {
      if (index.isSearch('entries', question))
        return findIndexedEntries(store, index, question, factsOf)
      return searches.ask(question, (pause) => search(store, question, { pause, factsOf }))
    },
    async getEntry({ params: { leaf = '' } }) {
      const [entry] = /^[0-9]{1,15}$/.test(leaf) ? await store.listLeaves(Number(leaf), 1) : []
      if (entry === undefined) return refuseUnknownLeaf(leaf)
      const checkpoint = await store.readCheckpoint()
      const isCovered = checkpoint !== null && entry.leaf < checkpoint.size
      return toReply({
        entry: toLedgerEntryView(entry, await factsOf(entry)),
        hashed: toHashedView(entry),
        ...(await findNeighbours(store, entry)),
        proof: isCovered ? await buildProofView(store, prover, entry, checkpoint) : null,
      })
    },
  }
}

type Reading = { readonly pause: Pause; readonly factsOf: FactsReader }

async function search(store: Store, { query }: LookupRequest, reading: Reading): Promise<Reply> {
  const filter = parseLedgerQuery(query.q ?? '')
  if (!filter.ok) return toProblemReply(filter.error)
  const before = parseNumberCursor(query, 1)
  if (!before.ok) return before.error
  const { found, next } = await findEntries(store, filter.value, {
    limit: parseLimit(query),
    ...reading,
    ...(before.value === undefined ? {} : { before: before.value[0] ?? 0 }),
  })
  return toReply({
    entries: found.map(({ entry, facts }) => toLedgerRowView(entry, facts)),
    next: next === null ? null : encodeCursor([String(next)]),
    counts: null,
    indexed: null,
  })
}

/** What the index found, as the ledger has it. */
async function findIndexedEntries(
  store: Store,
  index: Search,
  question: LookupRequest,
  factsOf: FactsReader,
): Promise<Reply> {
  if (question.query.q !== undefined)
    return refuseFilter({ path: '/q', detail: 'it stands alone, or the other members do' })
  const page = await index.findPage('entries', question)
  if (!page.ok) return page.error
  const { rows, ...beside } = page.value
  const entries: object[] = []
  for (const { leaf } of rows)
    for (const entry of await store.listLeaves(Number(leaf), 1))
      entries.push(toLedgerRowView(entry, await factsOf(entry)))
  return toReply({ entries, ...beside })
}

function refuseUnknownLeaf(leaf: string): Reply {
  return toProblemReply({ code: 'ENTRY_UNKNOWN', summary: `there is no leaf \`${leaf}\`` })
}
