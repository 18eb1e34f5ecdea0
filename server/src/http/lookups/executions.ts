/**
 * Effects and what became of them. How long a row is, an agent and whoever answered it say: a page ends where its rows
 * come to so much text, too, or a thousand of them would be hundreds of megabytes.
 */
import { LIMITS } from 'rubicon-kernel'
import { loadExecution } from 'rubicon-runtime/engine/rows'
import type { ExecutionFilter, Store } from 'rubicon-runtime/ports'
import { readEffectFacts, toShownAmount, toText } from '../../search/index.ts'
import { EXECUTION_STATUSES, type FoundExecution } from '../schemas/execution.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit, selectWords } from '../schemas/shape.ts'
import { type ExecutionView, toExecutionView } from '../views/execution-view.ts'
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
      const filter = parseExecutionFilter(query, place.value)
      const [{ views, most }, beside] = await Promise.all([
        readPage(store, filter, parseLimit(query)),
        search.count('executions', question),
      ])
      const found = addFoundFacts(search, views)
      const page = buildPage('executions', found, most, ({ dfid, step_id }) => [dfid, step_id])
      return toReply({ ...page, ...beside })
    },
  }
}

type ReadPage = {
  /** One more than the page has, where there are more. */
  readonly views: readonly ExecutionView[]
  readonly most: number
}

async function readPage(
  store: Store,
  filter: Omit<ExecutionFilter, 'limit'>,
  limit: number,
): Promise<ReadPage> {
  const views: ExecutionView[] = []
  let length = 0
  for (let place = filter; ; ) {
    const step = Math.min(LIMITS.entriesPerStep, limit + 1 - views.length)
    const rows = await store.listExecutions({ ...place, limit: step })
    for (const row of rows) {
      const isFull = length >= LIMITS.pageLength
      views.push(toExecutionView(row))
      if (isFull) return { views, most: views.length - 1 }
      length += measureLength(views.at(-1))
    }
    const last = rows.at(-1)
    if (rows.length < step || last === undefined || views.length > limit)
      return { views, most: limit }
    place = { ...filter, beyond: { dfid: last.dfid, step_id: last.step_id } }
  }
}

function measureLength(view: ExecutionView | undefined): number {
  return JSON.stringify(view)?.length ?? 0
}

/** What the index found, as the store has it now. Of a page that is too long the index is asked for the part that is not. */
async function searchExecutions(
  store: Store,
  search: Search,
  question: LookupRequest,
): Promise<Reply> {
  const page = await search.findPage('executions', question)
  if (!page.ok) return page.error
  const { rows, ...beside } = page.value
  const executions: ExecutionView[] = []
  let [length, read] = [0, 0]
  for (const { dfid, step_id } of rows) {
    if (length >= LIMITS.pageLength) break
    read += 1
    const row = await loadExecution(store, String(dfid), String(step_id))
    if (row === null) continue
    executions.push(toExecutionView(row))
    length += measureLength(executions.at(-1))
  }
  if (read === rows.length)
    return toReply({ executions: addFoundFacts(search, executions), ...beside })
  const query = { ...question.query, limit: String(read) }
  return searchExecutions(store, search, { ...question, query })
}

/** What each is about, as far as the index has come. */
function addFoundFacts(search: Search, views: readonly ExecutionView[]): readonly FoundExecution[] {
  const find = search.readAsIs((database) => readEffectFacts(database, views))
  return views.map((view) => {
    const known = find?.(view) ?? {}
    return { ...view, object: toText(known.object), ...toShownAmount(known) }
  })
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
