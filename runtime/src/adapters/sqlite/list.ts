/** Lists of flows and effects, each read in the order of an index, however many there are. */
import type { ExecutionStatus, FlowState } from 'rubicon-kernel'
import type {
  ExecutionFilter,
  ExecutionRow,
  ExpiredFilter,
  FlowFilter,
  FlowRow,
  FlowSummary,
  Tallied,
  WritRow,
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
import { SqliteQuery } from './query.ts'
import {
  EXECUTION_COLUMNS,
  parseExecution,
  parseFlow,
  parseFlowSummary,
  parseWrit,
  type Row as SqlRow,
  SUMMARY_COLUMNS,
} from './rows.ts'
import type { Statements } from './statements.ts'

/** What is read of each row. */
type Shape<Row> = { readonly columns: string; readonly parse: (row: SqlRow) => Row }

const WHOLE: Shape<FlowRow> = { columns: '*', parse: parseFlow }
const SUMMARY: Shape<FlowSummary> = { columns: SUMMARY_COLUMNS, parse: parseFlowSummary }

export function listFlows(filter: FlowFilter, tenant: string, sql: Statements): FlowRow[] {
  return queryFlows(filter, WHOLE, tenant, sql)
}

export function listSummaries(filter: FlowFilter, tenant: string, sql: Statements): FlowSummary[] {
  return queryFlows(filter, SUMMARY, tenant, sql)
}

/** Newest first: a dfid starts with its time. */
function queryFlows<Row extends { readonly dfid: string }>(
  filter: FlowFilter,
  shape: Shape<Row>,
  tenant: string,
  sql: Statements,
): Row[] {
  const { state, limit } = filter
  if (state === undefined) return queryFlowPart(filter, null, shape, tenant, sql)
  const lists = splitIntoParts(state, toFlowPart).map(({ part, words }) =>
    queryFlowPart({ ...filter, state: words }, part, shape, tenant, sql),
  )
  return mergeLists(lists, (a, b) => (a.dfid < b.dfid ? 1 : -1), limit)
}

function queryFlowPart<Row>(
  filter: FlowFilter,
  part: FlowPart | null,
  { columns, parse }: Shape<Row>,
  tenant: string,
  sql: Statements,
): Row[] {
  const { state = [], agent_id, parent_dfid, tag, before, from, limit } = filter
  const isNarrow = tag !== undefined || (part !== null && part !== 'closed')
  const isWalk = !isNarrow && agent_id === undefined && parent_dfid === undefined
  const query = new SqliteQuery('flows', [isWalk ? '+tenant = ?' : 'tenant = ?', tenant])
  if (part !== null) addStateCondition(query, part, state)
  // Of few rows those of an agent are found by looking.
  const isLooked = tag !== undefined || part === 'aborted' || part === 'waiting'
  if (agent_id !== undefined)
    query.addCondition(isLooked ? '+agent_id = ?' : 'agent_id = ?', agent_id)
  if (parent_dfid !== undefined) query.addCondition('parent_dfid = ?', parent_dfid)
  if (tag !== undefined) query.addCondition(`tags <> '[]' AND instr(tags, ?) > 0`, `"${tag}"`)
  if (before !== undefined) query.addCondition('dfid < ?', before)
  if (from !== undefined) query.addCondition('dfid >= ?', from)
  return query.selectRows(columns, 'dfid DESC', limit, sql).map(parse)
}

/** In the words of the indexes, or SQLite would not use them. */
const FLOWS: Readonly<Record<FlowPart, string>> = {
  running: "part IN ('running', 'waiting')",
  waiting: "part = 'waiting'",
  aborted: "part = 'aborted'",
  closed: "part = 'closed'",
}

function addStateCondition(query: SqliteQuery, part: FlowPart, state: readonly FlowState[]): void {
  query.addCondition(FLOWS[part])
  if (part === 'running')
    query.addCondition('state IN (SELECT value FROM json_each(?))', JSON.stringify(state))
}

/** In the order of their index: SQLite would else sort all that are open. */
export function listExpired(
  { until, beyond, limit }: ExpiredFilter,
  tenant: string,
  sql: Statements,
): FlowRow[] {
  const query = new SqliteQuery('flows INDEXED BY flows_expiring', ['tenant = ?', tenant])
  query.addCondition(`${FLOWS.running} AND state = 'ACTIVE' AND expires_at <= ?`, until)
  if (beyond !== undefined)
    query.addCondition('(expires_at, dfid) > (?, ?)', beyond.expires_at, beyond.dfid)
  return query.selectRows('*', 'expires_at, dfid', limit, sql).map(parseFlow)
}

export function listExecutions(
  filter: ExecutionFilter,
  tenant: string,
  sql: Statements,
): ExecutionRow[] {
  const { status, newest = false, limit } = filter
  if (status === undefined) return queryExecutionPart(filter, null, tenant, sql)
  const lists = splitIntoParts(status, toExecutionPart).map(({ part, words }) =>
    queryExecutionPart({ ...filter, status: words }, part, tenant, sql),
  )
  const way = newest ? -1 : 1
  return mergeLists(lists, (a, b) => (toExecutionKey(a) < toExecutionKey(b) ? -way : way), limit)
}

function toExecutionKey({ dfid, step_id }: ExecutionRow): string {
  return `${dfid}\0${step_id}`
}

function queryExecutionPart(
  filter: ExecutionFilter,
  part: ExecutionPart | null,
  tenant: string,
  sql: Statements,
): ExecutionRow[] {
  const { status = [], dfid, agent_id, newest = false, beyond, limit } = filter
  const isFew = part === 'open' || part === 'failed'
  // Of many, those of an agent are found by its flows.
  const byFlow = agent_id !== undefined && !isFew
  const query = byFlow
    ? new SqliteQuery(FLOWS_WITH_EFFECTS, ['f.tenant = ?', tenant])
    : new SqliteQuery('executions AS e', ['e.tenant = ?', tenant])
  if (agent_id !== undefined) query.addCondition(byFlow ? 'f.agent_id = ?' : OF_AGENT, agent_id)
  if (part !== null) addStatusCondition(query, part, status)
  if (dfid !== undefined) query.addCondition('e.dfid = ?', dfid)
  if (beyond !== undefined) {
    const { dfid: at, step_id } = beyond
    query.addCondition(`${byFlow ? 'f' : 'e'}.dfid ${newest ? '<=' : '>='} ?`, at)
    query.addCondition(`(e.dfid, e.step_id) ${newest ? '<' : '>'} (?, ?)`, at, step_id)
  }
  const way = newest ? 'DESC' : 'ASC'
  const order = `${byFlow ? 'f' : 'e'}.dfid ${way}, e.step_id ${way}`
  return query.selectRows(EXECUTION_COLUMNS, order, limit, sql).map(parseExecution)
}

const FLOWS_WITH_EFFECTS = `flows AS f
  CROSS JOIN executions AS e ON e.dfid = f.dfid AND e.tenant = f.tenant`

const OF_AGENT = `EXISTS (SELECT 1 FROM flows AS f
  WHERE f.dfid = e.dfid AND f.tenant = e.tenant AND f.agent_id = ?)`

const EFFECTS: Readonly<Record<ExecutionPart, string>> = {
  open: "e.status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED')",
  failed: "e.status IN ('FAILED', 'ABANDONED')",
  succeeded: "e.status = 'SUCCESS'",
}

function addStatusCondition(
  query: SqliteQuery,
  part: ExecutionPart,
  status: readonly ExecutionStatus[],
): void {
  query.addCondition(EFFECTS[part])
  if (part !== 'succeeded')
    query.addCondition('e.status IN (SELECT value FROM json_each(?))', JSON.stringify(status))
}

/** Newest first. */
export function listWrits(
  limit: number,
  before: string | undefined,
  tenant: string,
  sql: Statements,
): WritRow[] {
  const query = new SqliteQuery('writs', ['tenant = ?', tenant])
  if (before !== undefined)
    query.addCondition('row < (SELECT row FROM writs WHERE tenant = ? AND id = ?)', tenant, before)
  return query.selectRows('*', 'row DESC', limit, sql).map(parseWrit)
}

export function countRows(what: Tallied, tenant: string, sql: Statements): number {
  if (what.of === 'records') {
    const query = new SqliteQuery('records', ['tenant = ?', tenant])
    query.addCondition('record = ?', what.record)
    if (what.group !== undefined) query.addCondition('grp = ?', what.group)
    return query.count(sql)
  }
  if (what.of === 'flows' && isEveryState(what.state))
    return new SqliteQuery('flows', ['tenant = ?', tenant]).count(sql)
  const counts =
    what.of === 'flows'
      ? splitIntoParts(what.state, toFlowPart).map(({ part, words }) => {
          const query = new SqliteQuery('flows', ['tenant = ?', tenant])
          addStateCondition(query, part, words)
          return query.count(sql)
        })
      : splitIntoParts(what.status, toExecutionPart).map(({ part, words }) => {
          const query = new SqliteQuery('executions AS e', ['e.tenant = ?', tenant])
          addStatusCondition(query, part, words)
          return query.count(sql)
        })
  return counts.reduce((sum, count) => sum + count, 0)
}
