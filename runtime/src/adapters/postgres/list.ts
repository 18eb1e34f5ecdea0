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
  executionPart,
  type FlowPart,
  flowPart,
  merged,
  partsOf,
} from '../unit/list-parts.ts'
import { arrayOf } from './parameters.ts'
import { Query } from './query.ts'
import {
  EXECUTION_COLUMNS,
  FLOW_COLUMNS,
  parseExecution,
  parseFlow,
  parseFlowSummary,
  parseNumber,
  type Row as SqlRow,
  SUMMARY_COLUMNS,
} from './rows.ts'
import { type Session, together } from './session.ts'

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
  session: Session,
): Promise<FlowRow[]> {
  return flowsIn(filter, WHOLE, tenant, session)
}

export function listSummaries(
  filter: FlowFilter,
  tenant: string,
  session: Session,
): Promise<FlowSummary[]> {
  return flowsIn(filter, SUMMARY, tenant, session)
}

/** Newest first: a dfid starts with its time. */
async function flowsIn<Row extends { readonly dfid: string }>(
  filter: FlowFilter,
  shape: Shape<Row>,
  tenant: string,
  session: Session,
): Promise<Row[]> {
  const { state, limit } = filter
  if (state === undefined) return flowsOf(filter, null, shape, tenant, session)
  const lists = partsOf(state, flowPart).map(({ part, words }) =>
    flowsOf({ ...filter, state: words }, part, shape, tenant, session),
  )
  return merged(await together(lists), (a, b) => (a.dfid < b.dfid ? 1 : -1), limit)
}

async function flowsOf<Row>(
  { state = [], agent_id, parent_dfid, tag, before, from, limit }: FlowFilter,
  part: FlowPart | null,
  { name, columns, parse }: Shape<Row>,
  tenant: string,
  session: Session,
): Promise<Row[]> {
  const query = new Query(name, columns, 'flows', tenant)
  if (part !== null) whereState(query, part, state)
  if (agent_id !== undefined) query.where('agent', 'agent_id = ?', agent_id)
  if (parent_dfid !== undefined) query.where('parent', 'parent_dfid = ?', parent_dfid)
  if (tag !== undefined)
    query.where('tag', `tags <> '[]' AND strpos(tags, ?::text) > 0`, `"${tag}"`)
  if (before !== undefined) query.where('before', 'dfid < ?', before)
  if (from !== undefined) query.where('from', 'dfid >= ?', from)
  return (await query.all('dfid DESC', limit, session)).map(parse)
}

export async function listExpired(
  { until, beyond, limit }: ExpiredFilter,
  tenant: string,
  session: Session,
): Promise<FlowRow[]> {
  const query = new Query('expired', FLOW_COLUMNS, 'flows', tenant)
  query.where('until', "open AND state = 'ACTIVE' AND expires_at <= ?", until)
  if (beyond !== undefined)
    query.where('beyond', '(expires_at, dfid) > (?, ?)', beyond.expires_at, beyond.dfid)
  return (await query.all('expires_at, dfid', limit, session)).map(parseFlow)
}

export async function listExecutions(
  filter: ExecutionFilter,
  tenant: string,
  session: Session,
): Promise<ExecutionRow[]> {
  const { status, newest = false, limit } = filter
  if (status === undefined) return executionsOf(filter, null, tenant, session)
  const lists = partsOf(status, executionPart).map(({ part, words }) =>
    executionsOf({ ...filter, status: words }, part, tenant, session),
  )
  const way = newest ? -1 : 1
  return merged(await together(lists), (a, b) => (nameOf(a) < nameOf(b) ? -way : way), limit)
}

function nameOf({ dfid, step_id }: ExecutionRow): string {
  return `${dfid}\0${step_id}`
}

async function executionsOf(
  { status = [], dfid, agent_id, newest = false, beyond, limit }: ExecutionFilter,
  part: ExecutionPart | null,
  tenant: string,
  session: Session,
): Promise<ExecutionRow[]> {
  const query = new Query('executions', EXECUTION_COLUMNS, 'executions', tenant)
  if (part !== null) whereStatus(query, part, status)
  if (dfid !== undefined) query.where('dfid', 'dfid = ?', dfid)
  if (agent_id !== undefined) query.where('agent', OF_AGENT, agent_id)
  if (beyond !== undefined)
    query.where(
      newest ? 'below' : 'above',
      `(dfid, step_id) ${newest ? '<' : '>'} (?, ?)`,
      beyond.dfid,
      beyond.step_id,
    )
  const order = newest ? 'dfid DESC, step_id DESC' : 'dfid, step_id'
  return (await query.all(order, limit, session)).map(parseExecution)
}

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

function whereState(query: Query, part: FlowPart, state: readonly FlowState[]): void {
  query.where(part, FLOWS[part])
  if (part === 'running') query.where('state', 'state = ANY(?::text[])', arrayOf('text', state))
}

function whereStatus(query: Query, part: ExecutionPart, status: readonly ExecutionStatus[]): void {
  query.where(part, EFFECTS[part])
  if (part !== 'succeeded')
    query.where('status', 'status = ANY(?::text[])', arrayOf('text', status))
}

export async function tally(what: Tallied, tenant: string, session: Session): Promise<number> {
  const counted = (): Query => new Query(`${what.of}_count`, 'count(*) AS found', what.of, tenant)
  const found = async (query: Query): Promise<number> =>
    parseNumber((await query.whole(session))[0], 'found') ?? 0
  if (what.of === 'records') {
    const query = counted()
    query.where('record', 'record = ?', what.record)
    if (what.group !== undefined) query.where('group', 'grp = ?', what.group)
    return found(query)
  }
  const queries =
    what.of === 'flows'
      ? partsOf(what.state, flowPart).map(({ part, words }) => {
          const query = counted()
          whereState(query, part, words)
          return query
        })
      : partsOf(what.status, executionPart).map(({ part, words }) => {
          const query = counted()
          whereStatus(query, part, words)
          return query
        })
  const counts = await together(queries.map(found))
  return counts.reduce((sum, count) => sum + count, 0)
}
