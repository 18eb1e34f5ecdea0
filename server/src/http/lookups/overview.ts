/** What the index counts in a span of time, and that it forgets a flow that was erased. */
import { err, formatInstant, ok, type Result } from 'rubicon-kernel'
import {
  computeActivityStep,
  computeOverview,
  computeSpan,
  listAgentActivity,
  RANGES,
} from '../../search/index.ts'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseMoment } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'
import { refuseFilter, type Search } from './search.ts'

const DAY_MS = 86_400_000
/** Longer than any ledger, and a span before it can still be named. */
const LONGEST_MS = 3_660 * DAY_MS

export function createOverviewLookups(
  { clock }: Pick<LookupParts, 'clock'>,
  search: Search,
): Pick<
  LookupTable,
  'getOverview' | 'getAgentActivity' | 'forgetFlow' | 'searchEscalations' | 'countEscalations'
> {
  return {
    async getOverview(question) {
      const now = Math.floor(clock.now())
      const span = parseSpan(question, now)
      if (!span.ok) return span.error
      const { found, indexed } = await search.ask((database) =>
        computeOverview(database, span.value, now),
      )
      return toReply({ ...found, indexed })
    },
    async getAgentActivity(question) {
      const now = Math.floor(clock.now())
      const span = parseSpan(question, now)
      if (!span.ok) return span.error
      const { found, indexed } = await search.ask((database) =>
        listAgentActivity(database, span.value, now),
      )
      const { since, until } = span.value
      const named = { since: formatInstant(since), until: formatInstant(until) }
      return toReply({ ...named, step_ms: computeActivityStep(span.value), indexed, ...found })
    },
    /** Names and counts: the engine shows what they name. */
    async searchEscalations(question) {
      const page = await search.findPage('escalations', question)
      return page.ok ? toReply(page.value) : page.error
    },
    async countEscalations(question) {
      return toReply(await search.count('escalations', question))
    },
    async forgetFlow({ params: { dfid = '' } }) {
      try {
        await search.forgetFlow(dfid)
        return toReply({})
      } catch (error) {
        return refuseUnfinished(error)
      }
    },
  }
}

function refuseUnfinished(error: unknown): Reply {
  return toProblemReply({
    code: 'ERASURE_UNFINISHED',
    summary: 'it is erased and on record, but the search index still has words of it',
    why: error instanceof Error ? error.message : String(error),
    fix: 'delete `search.db` in the state folder, or let the server write it, and ask again',
  })
}

type Span = { readonly since: number; readonly until: number }

/** From a moment to another, or a range that ends now: the last day, if nobody says. */
function parseSpan({ query }: LookupRequest, now: number): Result<Span, Reply> {
  const range = RANGES.find((known) => known === query.range)
  const isNamed = query.since !== undefined || query.until !== undefined
  if (!isNamed) return ok(computeSpan(range ?? '24h', now))
  if (range !== undefined)
    return err(
      refuseFilter({ path: '/range', detail: 'it stands in place of `since` and `until`' }),
    )
  const end = parseMoment(query, 'until')
  if (!end.ok) return end
  const until = end.value ?? now
  const start = parseMoment(query, 'since')
  if (!start.ok) return start
  const since = start.value ?? until - DAY_MS
  if (since < until && until - since <= LONGEST_MS && since >= 0) return ok({ since, until })
  const detail = 'it is before `until`, by ten years at most'
  return err(refuseFilter({ path: '/since', detail }))
}
