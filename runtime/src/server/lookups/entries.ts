/** Entries of the ledger: found, and one of them as it was hashed. */
import { type FactsReader, factsReader } from '../../engine/find/entry-facts.ts'
import { findEntries } from '../../engine/find/find-entries.ts'
import { Prover } from '../../evidence/merkle-proof.ts'
import type { Store } from '../../ports/store.ts'
import { parseLedgerQuery } from '../ledger-query.ts'
import { hashedView, ledgerEntryView, neighbours, proofView, rowView } from '../ledger-view.ts'
import { cursorOf, parseNumberCursor } from '../list-page.ts'
import { PastQuestions, type Pause } from '../past-questions.ts'
import { refused } from '../problem.ts'
import { done, type Reply } from '../route.ts'
import { limitOf } from '../routes/shape.ts'
import type { LookupParts, LookupTable, Question } from './lookup.ts'

export function entryLookups({
  store,
  clock,
  sha256,
}: LookupParts): Pick<LookupTable, 'findEntries' | 'getEntry'> {
  const searches = new PastQuestions(clock)
  const prover = new Prover(store, sha256)
  const factsOf = factsReader(store)
  return {
    findEntries: (question) =>
      searches.ask(question, (pause) => search(store, question, { pause, factsOf })),
    async getEntry({ params: { leaf = '' } }) {
      const [entry] = /^[0-9]{1,15}$/.test(leaf) ? await store.leaves(Number(leaf), 1) : []
      if (entry === undefined) return unknownEntry(leaf)
      const checkpoint = await store.checkpoint()
      const isCovered = checkpoint !== null && entry.leaf < checkpoint.size
      return done({
        entry: ledgerEntryView(entry, await factsOf(entry)),
        hashed: hashedView(entry),
        ...(await neighbours(store, entry)),
        proof: isCovered ? await proofView(store, prover, entry, checkpoint) : null,
      })
    },
  }
}

type Reading = { readonly pause: Pause; readonly factsOf: FactsReader }

async function search(store: Store, { query }: Question, reading: Reading): Promise<Reply> {
  const filter = parseLedgerQuery(query.q ?? '')
  if (!filter.ok) return refused(filter.error)
  const before = parseNumberCursor(query, 1)
  if (!before.ok) return before.error
  const { found, next } = await findEntries(store, filter.value, {
    limit: limitOf(query),
    ...reading,
    ...(before.value === undefined ? {} : { before: before.value[0] ?? 0 }),
  })
  return done({
    entries: found.map(({ entry, facts }) => rowView(entry, facts)),
    next: next === null ? null : cursorOf([String(next)]),
  })
}

function unknownEntry(leaf: string): Reply {
  return refused({ code: 'ENTRY_UNKNOWN', summary: `there is no leaf \`${leaf}\`` })
}
