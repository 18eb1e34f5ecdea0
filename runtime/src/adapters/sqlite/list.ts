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
  executionPart,
  type FlowPart,
  flowPart,
  merged,
  partsOf,
} from '../unit/list-parts.ts'
import { Query } from './query.ts'
import {
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
  return flowsIn(filter, WHOLE, tenant, sql)
}

export function listSummaries(filter: FlowFilter, tenant: string, sql: Statements): FlowSummary[] {
  return flowsIn(filter, SUMMARY, tenant, sql)
}

/** Newest first: a dfid starts with its time. */
function flowsIn<Row extends { readonly dfid: string }>(
  filter: FlowFilter,
  shape: Shape<Row>,
  tenant: string,
  sql: Statements,
): Row[] {
  const { state, limit } = filter
  if (state === undefined) return flowsOf(filter, null, shape, tenant, sql)
  const lists = partsOf(state, flowPart).map(({ part, words }) =>
    flowsOf({ ...filter, state: words }, part, shape, tenant, sql),
  )
  return merged(lists, (a, b) => (a.dfid < b.dfid ? 1 : -1), limit)
}

function flowsOf<Row>(
  filter: FlowFilter,
  part: FlowPart | null,
  { columns, parse }: Shape<Row>,
  tenant: string,
  sql: Statements,
): Row[] {
  const { state = [], agent_id, parent_dfid, tag, before, from, limit } = filter
  const isNarrow = tag !== undefined || (part !== null && part !== 'closed')
  const isWalk = !isNarrow && agent_id === undefined && parent_dfid === undefined
  const query = new Query('flows', [isWalk ? '+tenant = ?' : 'tenant = ?', tenant])
  if (part !== null) whereState(query, part, state)
  // Of few rows those of an agent are found by looking.
  const isLooked = tag !== undefined || part === 'aborted' || part === 'waiting'
  if (agent_id !== undefined) query.where(isLooked ? '+agent_id = ?' : 'agent_id = ?', agent_id)
  if (parent_dfid !== undefined) query.where('parent_dfid = ?', parent_dfid)
  if (tag !== undefined) query.where(`tags <> '[]' AND instr(tags, ?) > 0`, `"${tag}"`)
  if (before !== undefined) query.where('dfid < ?', before)
  if (from !== undefined) query.where('dfid >= ?', from)
  return query.all(columns, 'dfid DESC', limit, sql).map(parse)
}

/** In the words of the indexes, or SQLite would not use them. */
const FLOWS: Readonly<Record<FlowPart, string>> = {
  running: "part IN ('running', 'waiting')",
  waiting: "part = 'waiting'",
  aborted: "part = 'aborted'",
  closed: "part = 'closed'",
}

function whereState(query: Query, part: FlowPart, state: readonly FlowState[]): void {
  query.where(FLOWS[part])
  if (part === 'running')
    query.where('state IN (SELECT value FROM json_each(?))', JSON.stringify(state))
}

/** In the order of their index: SQLite would else sort all that are open. */
export function listExpired(
  { until, beyond, limit }: ExpiredFilter,
  tenant: string,
  sql: Statements,
): FlowRow[] {
  const query = new Query('flows INDEXED BY flows_expiring', ['tenant = ?', tenant])
  query.where(`${FLOWS.running} AND state = 'ACTIVE' AND expires_at <= ?`, until)
  if (beyond !== undefined)
    query.where('(expires_at, dfid) > (?, ?)', beyond.expires_at, beyond.dfid)
  return query.all('*', 'expires_at, dfid', limit, sql).map(parseFlow)
}

export function listExecutions(
  filter: ExecutionFilter,
  tenant: string,
  sql: Statements,
): ExecutionRow[] {
  const { status, newest = false, limit } = filter
  if (status === undefined) return executionsOf(filter, null, tenant, sql)
  const lists = partsOf(status, executionPart).map(({ part, words }) =>
    executionsOf({ ...filter, status: words }, part, tenant, sql),
  )
  const way = newest ? -1 : 1
  return merged(lists, (a, b) => (nameOf(a) < nameOf(b) ? -way : way), limit)
}

function nameOf({ dfid, step_id }: ExecutionRow): string {
  return `${dfid}\0${step_id}`
}

function executionsOf(
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
    ? new Query(FLOWS_WITH_EFFECTS, ['f.tenant = ?', tenant])
    : new Query('executions AS e', ['e.tenant = ?', tenant])
  if (agent_id !== undefined) query.where(byFlow ? 'f.agent_id = ?' : OF_AGENT, agent_id)
  if (part !== null) whereStatus(query, part, status)
  if (dfid !== undefined) query.where('e.dfid = ?', dfid)
  if (beyond !== undefined) {
    const { dfid: at, step_id } = beyond
    query.where(`${byFlow ? 'f' : 'e'}.dfid ${newest ? '<=' : '>='} ?`, at)
    query.where(`(e.dfid, e.step_id) ${newest ? '<' : '>'} (?, ?)`, at, step_id)
  }
  const way = newest ? 'DESC' : 'ASC'
  const order = `${byFlow ? 'f' : 'e'}.dfid ${way}, e.step_id ${way}`
  return query.all('e.*', order, limit, sql).map(parseExecution)
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

function whereStatus(query: Query, part: ExecutionPart, status: readonly ExecutionStatus[]): void {
  query.where(EFFECTS[part])
  if (part !== 'succeeded')
    query.where('e.status IN (SELECT value FROM json_each(?))', JSON.stringify(status))
}

/** Newest first. */
export function listWrits(
  limit: number,
  before: string | undefined,
  tenant: string,
  sql: Statements,
): WritRow[] {
  const query = new Query('writs', ['tenant = ?', tenant])
  if (before !== undefined)
    query.where('row < (SELECT row FROM writs WHERE tenant = ? AND id = ?)', tenant, before)
  return query.all('*', 'row DESC', limit, sql).map(parseWrit)
}

export function tally(what: Tallied, tenant: string, sql: Statements): number {
  if (what.of === 'records') {
    const query = new Query('records', ['tenant = ?', tenant])
    query.where('record = ?', what.record)
    if (what.group !== undefined) query.where('grp = ?', what.group)
    return query.count(sql)
  }
  const counts =
    what.of === 'flows'
      ? partsOf(what.state, flowPart).map(({ part, words }) => {
          const query = new Query('flows', ['tenant = ?', tenant])
          whereState(query, part, words)
          return query.count(sql)
        })
      : partsOf(what.status, executionPart).map(({ part, words }) => {
          const query = new Query('executions AS e', ['e.tenant = ?', tenant])
          whereStatus(query, part, words)
          return query.count(sql)
        })
  return counts.reduce((sum, count) => sum + count, 0)
}
