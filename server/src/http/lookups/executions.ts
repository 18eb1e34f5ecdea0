/** Effects and what became of them. */
import type { ExecutionFilter } from 'rubicon-runtime/ports'
import { EXECUTION_STATUSES } from '../schemas/execution.ts'
import { toReply } from '../schemas/route.ts'
import { parseLimit, selectWords } from '../schemas/shape.ts'
import { toExecutionView } from '../views/execution-view.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'

export function createExecutionLookups({
  store,
}: Pick<LookupParts, 'store'>): Pick<LookupTable, 'listExecutions'> {
  return {
    async listExecutions({ query }) {
      const place = parseCursor(query, 2)
      if (!place.ok) return place.error
      const limit = parseLimit(query)
      const rows = await store.listExecutions({
        ...parseExecutionFilter(query, place.value),
        limit: limit + 1,
      })
      const views = rows.map(toExecutionView)
      return toReply(buildPage('executions', views, limit, ({ dfid, step_id }) => [dfid, step_id]))
    },
  }
}

function parseExecutionFilter(
  { status, dfid, agent }: LookupRequest['query'],
  place: readonly string[] | undefined,
): Omit<ExecutionFilter, 'limit'> {
  const wanted = selectWords(EXECUTION_STATUSES, status)
  const [last, step_id] = place ?? []
  return {
    newest: true,
    ...(wanted === undefined ? {} : { status: wanted }),
    ...(dfid === undefined ? {} : { dfid }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(last === undefined || step_id === undefined ? {} : { beyond: { dfid: last, step_id } }),
  }
}
