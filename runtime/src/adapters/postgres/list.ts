/** Lists of flows and effects, each with an index to read it from, however many there are. */
import type { ExecutionStatus, FlowState } from 'rubicon-kernel'
import type {
  ExecutionFilter,
  ExecutionRow,
  ExpiredFilter,
  FlowFilter,
  FlowRow,
  FlowSummary,
  Tallied,
} from '../../ports/store.ts'
import {
  type ExecutionPart,
  type FlowPart,
  isEveryState,
  mergeLists,
  splitIntoParts,
  toExecutionPart,
  toFlowPart,
} from '../unit/list-parts.ts'
import { encodeArray } from './parameters.ts'
import { PostgresQuery } from './query.ts'
import {
  buildExecutionColumns,
  FLOW_COLUMNS,
  parseExecution,
  parseFlow,
  parseFlowSummary,
  parseNumber,
  type Row as SqlRow,
  SUMMARY_COLUMNS,
} from './rows.ts'
import { awaitAll, type DatabaseSession } from './session.ts'

/** What is read of each row; `name` tells the prepared statements apart. */
type Shape<Row> = {
  readonly name: string
  readonly columns: string
  readonly parse: (row: SqlRow) => Row
}

const WHOLE: Shape<FlowRow> = { name: 'flows', columns: FLOW_COLUMNS, parse: parseFlow }
const SUMMARY: Shape<FlowSummary> = {
  name: 'flow_summaries',
  columns: SUMMARY_COLUMNS,
  parse: parseFlowSummary,
}

export function listFlows(
  filter: FlowFilter,
  tenant: string,
  session: DatabaseSession,
): Promise<FlowRow[]> {
  return queryFlows(filter, WHOLE, tenant, session)
}

export function listSummaries(
  filter: FlowFilter,
  tenant: string,
  session: DatabaseSession,
): Promise<FlowSummary[]> {
  return queryFlows(filter, SUMMARY, tenant, session)
}

/** Newest first: a dfid starts with its time. */
async function queryFlows<Row extends { readonly dfid: string }>(
  filter: FlowFilter,
  shape: Shape<Row>,
  tenant: string,
  session: DatabaseSession,
): Promise<Row[]> {
  const { state, limit } = filter
  if (state === undefined) return queryFlowPart(filter, null, shape, tenant, session)
  const lists = splitIntoParts(state, toFlowPart).map(({ part, words }) =>
    queryFlowPart({ ...filter, state: words }, part, shape, tenant, session),
  )
  return mergeLists(await awaitAll(lists), (a, b) => (a.dfid < b.dfid ? 1 : -1), limit)
}

async function queryFlowPart<Row>(
  { state = [], agent_id, parent_dfid, tag, before, from, limit }: FlowFilter,
  part: FlowPart | null,
  { name, columns, parse }: Shape<Row>,
  tenant: string,
  session: DatabaseSession,
): Promise<Row[]> {
  const query = new PostgresQuery(name, columns, 'flows', tenant)
  if (part !== null) addStateCondition(query, part, state)
  if (agent_id !== undefined) query.addCondition('agent', 'agent_id = ?', agent_id)
  if (parent_dfid !== undefined) query.addCondition('parent', 'parent_dfid = ?', parent_dfid)
  if (tag !== undefined)
    query.addCondition('tag', `tags <> '[]' AND strpos(tags, ?::text) > 0`, `"${tag}"`)
  if (before !== undefined) query.addCondition('before', 'dfid < ?', before)
  if (from !== undefined) query.addCondition('from', 'dfid >= ?', from)
  return (await query.selectRows('dfid DESC', limit, session)).map(parse)
}

export async function listExpired(
  { until, beyond, limit }: ExpiredFilter,
  tenant: string,
  session: DatabaseSession,
): Promise<FlowRow[]> {
  const query = new PostgresQuery('expired', FLOW_COLUMNS, 'flows', tenant)
  query.addCondition('until', "open AND state = 'ACTIVE' AND expires_at <= ?", until)
  if (beyond !== undefined)
    query.addCondition('beyond', '(expires_at, dfid) > (?, ?)', beyond.expires_at, beyond.dfid)
  return (await query.selectRows('expires_at, dfid', limit, session)).map(parseFlow)
}

export async function listExecutions(
  filter: ExecutionFilter,
  tenant: string,
  session: DatabaseSession,
): Promise<ExecutionRow[]> {
  const { status, newest = false, limit } = filter
  if (status === undefined) return queryExecutionPart(filter, null, tenant, session)
  const lists = splitIntoParts(status, toExecutionPart).map(({ part, words }) =>
    queryExecutionPart({ ...filter, status: words }, part, tenant, session),
  )
  const way = newest ? -1 : 1
  return mergeLists(
    await awaitAll(lists),
    (a, b) => (toExecutionKey(a) < toExecutionKey(b) ? -way : way),
    limit,
  )
}

function toExecutionKey({ dfid, step_id }: ExecutionRow): string {
  return `${dfid}\0${step_id}`
}

async function queryExecutionPart(
  { status = [], dfid, agent_id, newest = false, beyond, limit }: ExecutionFilter,
  part: ExecutionPart | null,
  tenant: string,
  session: DatabaseSession,
): Promise<ExecutionRow[]> {
  const query = new PostgresQuery('executions', EXECUTION_COLUMNS, 'executions', tenant)
  if (part !== null) addStatusCondition(query, part, status)
  if (dfid !== undefined) query.addCondition('dfid', 'dfid = ?', dfid)
  if (agent_id !== undefined) query.addCondition('agent', OF_AGENT, agent_id)
  if (beyond !== undefined)
    query.addCondition(
      newest ? 'below' : 'above',
      `(dfid, step_id) ${newest ? '<' : '>'} (?, ?)`,
      beyond.dfid,
      beyond.step_id,
    )
  const order = newest ? 'dfid DESC, step_id DESC' : 'dfid, step_id'
  return (await query.selectRows(order, limit, session)).map(parseExecution)
}

const EXECUTION_COLUMNS = buildExecutionColumns('executions')

const OF_AGENT = `EXISTS (
  SELECT 1 FROM flows f
  WHERE f.dfid = executions.dfid AND f.tenant = executions.tenant AND f.agent_id = ?
)`

/** In the words of the indexes, or they would not be used. */
const FLOWS: Readonly<Record<FlowPart, string>> = {
  running: 'open',
  waiting: 'waiting',
  aborted: 'aborted',
  closed: "state = 'CLOSED'",
}
const EFFECTS: Readonly<Record<ExecutionPart, string>> = {
  open: "status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED')",
  failed: "status IN ('FAILED', 'ABANDONED')",
  succeeded: "status = 'SUCCESS'",
}

function addStateCondition(
  query: PostgresQuery,
  part: FlowPart,
  state: readonly FlowState[],
): void {
  query.addCondition(part, FLOWS[part])
  if (part === 'running')
    query.addCondition('state', 'state = ANY(?::text[])', encodeArray('text', state))
}

function addStatusCondition(
  query: PostgresQuery,
  part: ExecutionPart,
  status: readonly ExecutionStatus[],
): void {
  query.addCondition(part, EFFECTS[part])
  if (part !== 'succeeded')
    query.addCondition('status', 'status = ANY(?::text[])', encodeArray('text', status))
}

export async function countRows(
  what: Tallied,
  tenant: string,
  session: DatabaseSession,
): Promise<number> {
  const createCountQuery = (): PostgresQuery =>
    new PostgresQuery(`${what.of}_count`, 'count(*) AS found', what.of, tenant)
  const readCount = async (query: PostgresQuery): Promise<number> =>
    parseNumber((await query.selectEveryRow(session))[0], 'found') ?? 0
  if (what.of === 'records') {
    const query = createCountQuery()
    query.addCondition('record', 'record = ?', what.record)
    if (what.group !== undefined) query.addCondition('group', 'grp = ?', what.group)
    return readCount(query)
  }
  if (what.of === 'flows' && isEveryState(what.state)) return readCount(createCountQuery())
  const queries =
    what.of === 'flows'
      ? splitIntoParts(what.state, toFlowPart).map(({ part, words }) => {
          const query = createCountQuery()
          addStateCondition(query, part, words)
          return query
        })
      : splitIntoParts(what.status, toExecutionPart).map(({ part, words }) => {
          const query = createCountQuery()
          addStatusCondition(query, part, words)
          return query
        })
  const counts = await awaitAll(queries.map(readCount))
  return counts.reduce((sum, count) => sum + count, 0)
}
