/** The ledger itself: found, shown as it was hashed, and downloaded to be verified elsewhere. */
import { err, LIMITS, ok } from 'rubicon-kernel'
import { buildHeaderLine, checkNothingAway, readEntryLines } from 'rubicon-runtime/evidence'
import { getPrincipalName } from '../../people/principal.ts'
import { createLookupHandler } from '../lookups/lookup.ts'
import { toProblemReply } from '../problems/problem.ts'
import { ledgerRows, wholeEntry } from '../schemas/ledger.ts'
import type { Route } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { searchFilter, timeFilter } from '../schemas/search.ts'
import { buildClosedObject, cursor, identifier, limit, natural, text } from '../schemas/shape.ts'
import { Downloads, passWhileAllowed } from '../turns/downloads.ts'
import { obtainCheckpointToCheck } from '../views/fresh-checkpoint.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function createLedgerRoutes({ engine, lookups, report }: RouteParts): readonly Route[] {
  const { store } = engine.context
  const downloads = new Downloads(report, engine.context.clock)
  return [
    {
      method: 'GET',
      path: '/v1/ledger/entries',
      operation: 'findEntries',
      summary:
        'entries, newest first; `q` finds by leaf, id, place, dfid, agent, kind, code; or by a filter',
      roles: READERS,
      query: buildClosedObject({
        q: text(LIMITS.queryLength),
        agent: identifier,
        ...timeFilter,
        ...searchFilter,
        cursor,
        limit,
      }),
      reply: ledgerRows,
      handle: createLookupHandler(lookups, 'findEntries'),
    },
    {
      method: 'GET',
      path: '/v1/ledger/entries/:leaf',
      operation: 'getEntry',
      summary: 'an entry as it was hashed, with its neighbours and its proof',
      roles: READERS,
      reply: wholeEntry,
      handle: createLookupHandler(lookups, 'getEntry'),
    },
    {
      method: 'GET',
      path: '/v1/ledger/export',
      operation: 'exportLedger',
      summary: 'the ledger as a file; with `from` only lines of entries, from this leaf on',
      roles: READERS,
      query: buildClosedObject({ from: natural, limit: natural }),
      reply: 'text',
      handle: ({ principal, query, ended, isGone }) =>
        downloads.reply(getPrincipalName(principal), 'ledger.ndjson', isGone, async () => {
          // A file without `from` is whole: its checkpoint covers what has come until now.
          const covered = await obtainCheckpointToCheck(engine)
          if (!covered.ok) return covered
          const away = query.from === undefined ? await checkNothingAway(store) : null
          if (away !== null) return err(toProblemReply(away))
          const { size } = covered.value
          const from = Number(query.from ?? 0)
          const end = Math.min(size, from + Number(query.limit ?? size))
          const header =
            query.from === undefined ? [await buildHeaderLine(store, covered.value)] : []
          const lines = readEntryLines(store, from, end, LIMITS.downloadEntries)
          return ok(passWhileAllowed(joinPages(header, lines), ended))
        }),
    },
  ]
}

async function* joinPages(
  header: readonly string[],
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  yield* header
  for await (const lines of pages) yield lines.join('')
}
