/** The ledger itself: found, shown as it was hashed, and downloaded to be verified elsewhere. */
import { LIMITS } from 'rubicon-kernel'
import { entryLines, headerLine } from '../../evidence/export-ledger.ts'
import { Downloads, whileAsking } from '../downloads.ts'
import { freshCheckpoint } from '../fresh-checkpoint.ts'
import { lookedUp } from '../lookups/lookup.ts'
import { nameOf } from '../principal.ts'
import type { Route } from '../route.ts'
import { ledgerRows, wholeEntry } from '../schemas/ledger.ts'
import type { RouteParts } from './route-parts.ts'
import { closed, cursor, limit, natural, text } from './shape.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function ledgerRoutes({ engine, lookups, report }: RouteParts): readonly Route[] {
  const { store } = engine.context
  const downloads = new Downloads(report)
  return [
    {
      method: 'GET',
      path: '/v1/ledger/entries',
      operation: 'findEntries',
      summary: 'entries, newest first; `q` finds by leaf, id, place, dfid, agent, kind, code',
      roles: READERS,
      query: closed({ q: text(LIMITS.queryLength), cursor, limit }),
      reply: ledgerRows,
      handle: lookedUp(lookups, 'findEntries'),
    },
    {
      method: 'GET',
      path: '/v1/ledger/entries/:leaf',
      operation: 'getEntry',
      summary: 'an entry as it was hashed, with its neighbours and its proof',
      roles: READERS,
      reply: wholeEntry,
      handle: lookedUp(lookups, 'getEntry'),
    },
    {
      method: 'GET',
      path: '/v1/ledger/export',
      operation: 'exportLedger',
      summary: 'the ledger as a file; with `from` only lines of entries, from this leaf on',
      roles: READERS,
      query: closed({ from: natural, limit: natural }),
      reply: 'text',
      async handle({ principal, query, ended }) {
        // A file without `from` is whole: its checkpoint covers what has come until now.
        const covered = await freshCheckpoint(engine)
        if (!covered.ok) return covered.error
        const { size } = covered.value
        const from = Number(query.from ?? 0)
        const end = Math.min(size, from + Number(query.limit ?? size))
        const header = query.from === undefined ? [await headerLine(store, covered.value)] : []
        const pieces = joined(header, entryLines(store, from, end))
        return downloads.reply(nameOf(principal), 'ledger.ndjson', whileAsking(pieces, ended))
      },
    },
  ]
}

async function* joined(
  header: readonly string[],
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  yield* header
  for await (const lines of pages) yield lines.join('')
}
