/** The ledger itself: found, shown as it was hashed, and downloaded to be verified elsewhere. */
import { LIMITS } from 'rubicon-kernel'
import { factsReader } from '../../engine/find/entry-facts.ts'
import { findEntries } from '../../engine/find/find-entries.ts'
import { entryLines, headerLine } from '../../evidence/export-ledger.ts'
import { Prover } from '../../evidence/merkle-proof.ts'
import type { Store } from '../../ports/store.ts'
import { Downloads } from '../downloads.ts'
import { freshCheckpoint } from '../fresh-checkpoint.ts'
import { parseLedgerQuery } from '../ledger-query.ts'
import { hashedView, ledgerEntryView, neighbours, proofView, rowView } from '../ledger-view.ts'
import { cursorOf, parseNumberCursor } from '../list-page.ts'
import { PastQuestions, type Pause } from '../past-questions.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { ledgerRows, wholeEntry } from '../schemas/ledger.ts'
import type { ServerParts } from '../server.ts'
import { closed, cursor, limit, limitOf, natural, text } from './shape.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function ledgerRoutes({ engine, report }: ServerParts): readonly Route[] {
  const { store, sha256, clock } = engine.context
  const searches = new PastQuestions(clock)
  const downloads = new Downloads(report)
  const prover = new Prover(store, sha256)
  return [
    {
      method: 'GET',
      path: '/v1/ledger/entries',
      operation: 'findEntries',
      summary: 'entries, newest first; `q` finds by leaf, id, place, dfid, agent, kind, code',
      roles: READERS,
      query: closed({ q: text(LIMITS.queryLength), cursor, limit }),
      reply: ledgerRows,
      handle: (asked) => searches.ask((pause) => search(store, asked, pause)),
    },
    {
      method: 'GET',
      path: '/v1/ledger/entries/:leaf',
      operation: 'getEntry',
      summary: 'an entry as it was hashed, with its neighbours and its proof',
      roles: READERS,
      reply: wholeEntry,
      async handle({ params: { leaf = '' } }) {
        const [entry] = /^[0-9]{1,15}$/.test(leaf) ? await store.leaves(Number(leaf), 1) : []
        if (entry === undefined) return unknownEntry(leaf)
        const checkpoint = await store.checkpoint()
        const isCovered = checkpoint !== null && entry.leaf < checkpoint.size
        return done({
          entry: ledgerEntryView(entry, await factsReader(store)(entry)),
          hashed: hashedView(entry),
          ...(await neighbours(store, entry)),
          proof: isCovered ? await proofView(store, prover, entry, checkpoint) : null,
        })
      },
    },
    {
      method: 'GET',
      path: '/v1/ledger/export',
      operation: 'exportLedger',
      summary: 'the ledger as a file; with `from` only lines of entries, from this leaf on',
      roles: READERS,
      query: closed({ from: natural, limit: natural }),
      reply: 'text',
      async handle({ query }) {
        // A file without `from` is whole: its checkpoint covers what has come until now.
        const covered = await freshCheckpoint(engine)
        if (!covered.ok) return covered.error
        const { size } = covered.value
        const from = Number(query.from ?? 0)
        const end = Math.min(size, from + Number(query.limit ?? size))
        const header = query.from === undefined ? [await headerLine(store, covered.value)] : []
        return downloads.reply('ledger.ndjson', joined(header, entryLines(store, from, end)))
      },
    },
  ]
}

async function search(store: Store, { query }: Asked, pause: Pause): Promise<Reply> {
  const filter = parseLedgerQuery(query.q ?? '')
  if (!filter.ok) return refused(filter.error)
  const before = parseNumberCursor(query, 1)
  if (!before.ok) return before.error
  const { found, next } = await findEntries(store, filter.value, {
    limit: limitOf(query),
    pause,
    ...(before.value === undefined ? {} : { before: before.value[0] ?? 0 }),
  })
  return done({
    entries: found.map(({ entry, facts }) => rowView(entry, facts)),
    next: next === null ? null : cursorOf([String(next)]),
  })
}

async function* joined(
  header: readonly string[],
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  yield* header
  for await (const lines of pages) yield lines.join('')
}

function unknownEntry(leaf: string): Reply {
  return refused({ code: 'ENTRY_UNKNOWN', summary: `there is no leaf \`${leaf}\`` })
}
