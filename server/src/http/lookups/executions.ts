/** Effects and what became of them. */
import { loadExecution } from 'rubicon-runtime/engine/rows'
import type { ExecutionFilter, Store } from 'rubicon-runtime/ports'
import { EXECUTION_STATUSES } from '../schemas/execution.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit, selectWords } from '../schemas/shape.ts'
import { toExecutionView } from '../views/execution-view.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'
import type { Search } from './search.ts'

export function createExecutionLookups(
  { store }: Pick<LookupParts, 'store'>,
  search: Search,
): Pick<LookupTable, 'listExecutions'> {
  return {
    async listExecutions(question) {
      if (search.isSearch('executions', question)) return searchExecutions(store, search, question)
      const { query } = question
      const place = parseCursor(query, 2)
      if (!place.ok) return place.error
      const limit = parseLimit(query)
      const rows = await store.listExecutions({
        ...parseExecutionFilter(query, place.value),
        limit: limit + 1,
      })
      const views = rows.map(toExecutionView)
      const page = buildPage('executions', views, limit, ({ dfid, step_id }) => [dfid, step_id])
      return toReply({ ...page, ...(await search.count('executions', question)) })
    },
  }
}

/** What the index found, as the store has it now. */
async function searchExecutions(
  store: Store,
  search: Search,
  question: LookupRequest,
): Promise<Reply> {
  const page = await search.findPage('executions', question)
  if (!page.ok) return page.error
  const { rows, ...beside } = page.value
  const read = await Promise.all(
    rows.map(({ dfid, step_id }) => loadExecution(store, String(dfid), String(step_id))),
  )
  const executions = read.flatMap((row) => (row === null ? [] : [toExecutionView(row)]))
  return toReply({ executions, ...beside })
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
