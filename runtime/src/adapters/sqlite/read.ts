import { isIdentifier, resourceKey, type Sha256, unhex, type WorldFact } from 'rubicon-kernel'
import type { RecordKind, RecordRange, RecordRef, StoredRecord } from '../../ports/record.ts'
import type {
  ExecutionRow,
  FlowFilter,
  FlowRow,
  LeafEntry,
  Store,
  Tallied,
} from '../../ports/store.ts'
import {
  parseEntry,
  parseExecution,
  parseFlow,
  parseNumber,
  parseRecord,
  parseWorldFact,
} from './rows.ts'
import type { Parameter, Statements } from './statements.ts'

type ExecutionFilter = Parameters<Store['executions']>[0]

export function readFlow(dfid: string, tenant: string, sql: Statements): FlowRow | undefined {
  const row = sql.get('SELECT * FROM flows WHERE dfid = ? AND tenant = ?', dfid, tenant)
  return row === undefined ? undefined : parseFlow(row)
}

export function readExecution(
  dfid: string,
  stepId: string,
  tenant: string,
  sql: Statements,
): ExecutionRow | undefined {
  const row = sql.get(
    'SELECT * FROM executions WHERE dfid = ? AND step_id = ? AND tenant = ?',
    dfid,
    stepId,
    tenant,
  )
  return row === undefined ? undefined : parseExecution(row)
}

export function readCounter(id: string, tenant: string, sql: Statements): number {
  const row = sql.get('SELECT used FROM counters WHERE tenant = ? AND id = ?', tenant, id)
  return parseNumber(row, 'used') ?? 0
}

export function readRecord<K extends RecordKind>(
  { record, group, key }: RecordRef,
  tenant: string,
  sql: Statements,
): StoredRecord<K> | undefined {
  const row = sql.get(RECORD, tenant, record, group, key)
  return row === undefined ? undefined : parseRecord<K>(row)
}

export function listRecords<K extends RecordKind>(
  record: K,
  group: string,
  { after, until, newest = false, limit }: RecordRange,
  tenant: string,
  sql: Statements,
): StoredRecord<K>[] {
  const query = new Query('records', tenant)
  query.where('record = ? AND grp = ?', record, group)
  if (after !== undefined) query.where('key > ?', after)
  if (until !== undefined) query.where('key <= ?', until)
  return query.all(newest ? 'key DESC' : 'key', limit, sql).map(parseRecord<K>)
}

/** Newest first: a dfid starts with its time. */
export function listFlows(filter: FlowFilter, tenant: string, sql: Statements): FlowRow[] {
  const { state, agent_id, parent_dfid, before, limit } = filter
  const query = new Query('flows', tenant)
  if (state !== undefined) whereState(query, state)
  if (agent_id !== undefined) query.where('agent_id = ?', agent_id)
  if (parent_dfid !== undefined) query.where('parent_dfid = ?', parent_dfid)
  if (before !== undefined) query.where('dfid < ?', before)
  return query.all('dfid DESC', limit, sql).map(parseFlow)
}

/** Oldest first, steps of a flow by name. */
export function listExecutions(
  filter: ExecutionFilter,
  tenant: string,
  sql: Statements,
): ExecutionRow[] {
  const { status, dfid, limit } = filter
  const query = new Query('executions', tenant)
  if (status !== undefined) whereStatus(query, status)
  if (dfid !== undefined) query.where('dfid = ?', dfid)
  return query.all('dfid, step_id', limit, sql).map(parseExecution)
}

function whereState(query: Query, state: readonly FlowRow['state'][]): void {
  query.where('state IN (SELECT value FROM json_each(?))', JSON.stringify(state))
  // Said once more in the words of the index over open flows, or SQLite would not use it.
  if (!state.includes('CLOSED') && !state.includes('ABORTED')) query.where(OPEN_FLOW)
}

function whereStatus(query: Query, status: readonly ExecutionRow['status'][]): void {
  query.where('status IN (SELECT value FROM json_each(?))', JSON.stringify(status))
  const isOpen = !status.some((one) => SETTLED.includes(one))
  if (isOpen) query.where(OPEN_EXECUTION)
}

export function tally(what: Tallied, tenant: string, sql: Statements): number {
  const query = new Query(what.of, tenant)
  if (what.of === 'flows') whereState(query, what.state)
  if (what.of === 'executions') whereStatus(query, what.status)
  if (what.of === 'records') query.where('record = ?', what.record)
  if (what.of === 'records' && what.group !== undefined) query.where('grp = ?', what.group)
  return query.count(sql)
}

export function listResources(
  trajectory: string,
  refs: readonly { readonly kind: string; readonly id: string }[],
  tenant: string,
  sql: Statements,
  sha256: Sha256,
): WorldFact[] {
  return refs.flatMap(({ kind, id }) => {
    if (!isIdentifier(kind)) return []
    const key = resourceKey(kind, id, sha256)
    const row = sql.get(
      'SELECT * FROM resources WHERE tenant = ? AND trajectory = ? AND key = ?',
      tenant,
      trajectory,
      key,
    )
    return row === undefined ? [] : [parseWorldFact(row)]
  })
}

export function worldPage(
  trajectory: string,
  after: string | null,
  limit: number,
  tenant: string,
  sql: Statements,
): WorldFact[] {
  const start = after === null ? new Uint8Array() : (unhex(after) ?? new Uint8Array())
  const rows = sql.all(
    `SELECT * FROM resources WHERE tenant = ? AND trajectory = ? AND key > ? ORDER BY key LIMIT ?`,
    tenant,
    trajectory,
    start,
    limit,
  )
  return rows.map(parseWorldFact)
}

export function listEntries(
  where: 'trajectory' | 'leaf' | 'dfid',
  parameters: Parameter[],
  tenant: string,
  sql: Statements,
): LeafEntry[] {
  return sql.all(ENTRIES[where], tenant, ...parameters).map(parseEntry)
}

const ENTRIES = {
  trajectory: `SELECT * FROM entries
    WHERE tenant = ? AND trajectory = ? AND seq >= ? ORDER BY seq LIMIT ?`,
  leaf: 'SELECT * FROM entries WHERE tenant = ? AND leaf >= ? ORDER BY leaf LIMIT ?',
  dfid: 'SELECT * FROM entries WHERE tenant = ? AND dfid = ? ORDER BY leaf',
} as const

const RECORD = 'SELECT * FROM records WHERE tenant = ? AND record = ? AND grp = ? AND key = ?'

const OPEN_FLOW = "state NOT IN ('CLOSED', 'ABORTED')"
const OPEN_EXECUTION = "status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED')"
const SETTLED: readonly ExecutionRow['status'][] = ['SUCCESS', 'FAILED', 'ABANDONED']

/** Conditions are constants of this file; everything from outside is a parameter. */
class Query {
  readonly #table: string
  readonly #conditions: string[] = ['tenant = ?']
  readonly #parameters: Parameter[]

  constructor(table: string, tenant: string) {
    this.#table = table
    this.#parameters = [tenant]
  }

  where(condition: string, ...parameters: Parameter[]): void {
    this.#conditions.push(condition)
    this.#parameters.push(...parameters)
  }

  count(sql: Statements): number {
    const where = this.#conditions.join(' AND ')
    const text = `SELECT count(*) AS found FROM ${this.#table} WHERE ${where}`
    return parseNumber(sql.get(text, ...this.#parameters), 'found') ?? 0
  }

  all(order: string, limit: number, sql: Statements): ReturnType<Statements['all']> {
    const where = this.#conditions.join(' AND ')
    const text = `SELECT * FROM ${this.#table} WHERE ${where} ORDER BY ${order} LIMIT ?`
    return sql.all(text, ...this.#parameters, limit)
  }
}
