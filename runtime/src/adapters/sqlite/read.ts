import { decodeHex, type WorldFact } from 'rubicon-kernel'
import type { EntryKinds, EntryPlace } from '../../ports/entry-kinds.ts'
import type { RecordKind, RecordRange, RecordRef, StoredRecord } from '../../ports/record.ts'
import type {
  ExecutionRow,
  FlowRow,
  LeafEntry,
  LeafEnvelope,
  StoredCheckpoint,
  TrajectoryHead,
  WritRow,
} from '../../ports/store.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import type { UnitState } from '../unit/unit-state.ts'
import { SqliteQuery } from './query.ts'
import {
  EXECUTION_COLUMNS,
  parseCheckpoint,
  parseEntry,
  parseExecution,
  parseFlow,
  parseHead,
  parseWorldFact,
  parseWrit,
} from './rows.ts'
import type { SqliteParameter, Statements } from './statements.ts'

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
    `SELECT ${EXECUTION_COLUMNS} FROM executions AS e
      WHERE e.dfid = ? AND e.step_id = ? AND e.tenant = ?`,
    dfid,
    stepId,
    tenant,
  )
  return row === undefined ? undefined : parseExecution(row)
}

export function readCounter(id: string, tenant: string, sql: Statements, codes: RowCodes): number {
  const row = sql.get('SELECT used, code FROM counters WHERE tenant = ? AND id = ?', tenant, id)
  return codes.parseCounter(id, row)
}

export function readRecord<K extends RecordKind>(
  { record, group, key }: RecordRef,
  tenant: string,
  sql: Statements,
  codes: RowCodes,
): StoredRecord<K> | undefined {
  const row = sql.get(RECORD, tenant, record, group, key)
  return row === undefined ? undefined : codes.record<K>(row)
}

export function listRecords<K extends RecordKind>(
  record: K,
  group: string,
  range: RecordRange,
  tenant: string,
  sql: Statements,
  codes: RowCodes,
): StoredRecord<K>[] {
  for (let limit = range.limit; ; ) {
    const rows = queryRecordGroup(record, group, { ...range, limit }, tenant, sql)
    const found = rows.flatMap((row) => codes.record<K>(row) ?? [])
    if (found.length >= range.limit || rows.length < limit) return found.slice(0, range.limit)
    limit = range.limit + rows.length - found.length
  }
}

function queryRecordGroup(
  record: RecordKind,
  group: string,
  { after, until, newest = false, limit }: RecordRange,
  tenant: string,
  sql: Statements,
): ReturnType<Statements['listRows']> {
  const query = new SqliteQuery('records', ['tenant = ?', tenant])
  query.addCondition('record = ? AND grp = ?', record, group)
  if (after !== undefined) query.addCondition('key > ?', after)
  if (until !== undefined) query.addCondition('key <= ?', until)
  return query.selectRows('*', newest ? 'key DESC' : 'key', limit, sql)
}

/** As the root of the World has them. */
export function listWorldFacts(
  trajectory: string,
  refs: readonly { readonly kind: string; readonly id: string }[],
  state: Pick<UnitState, 'findResource'>,
): WorldFact[] {
  return refs.flatMap(({ kind, id }) => {
    const resource = state.findResource(trajectory, kind, id)
    if (resource === undefined) return []
    const { last_entry: _, ...fact } = resource
    return [fact]
  })
}

export function listWorldPage(
  trajectory: string,
  after: string | null,
  limit: number,
  tenant: string,
  sql: Statements,
): WorldFact[] {
  const start = after === null ? new Uint8Array() : (decodeHex(after) ?? new Uint8Array())
  const rows = sql.listRows(
    `SELECT * FROM resources WHERE tenant = ? AND trajectory = ? AND key > ? ORDER BY key LIMIT ?`,
    tenant,
    trajectory,
    start,
    limit,
  )
  return rows.map(parseWorldFact)
}

export function listEntries(
  where: keyof typeof ENTRIES,
  parameters: SqliteParameter[],
  tenant: string,
  sql: Statements,
): LeafEntry[] {
  return sql.listRows(ENTRIES[where], tenant, ...parameters).map(parseEntry)
}

type FlowPart = {
  readonly kinds: EntryKinds | undefined
  readonly last: number | undefined
  readonly before: EntryPlace | undefined
}

export function listFlowEntries(
  dfid: string,
  { kinds, last, before }: FlowPart,
  tenant: string,
  sql: Statements,
): LeafEntry[] {
  const wanted = kinds === undefined ? null : JSON.stringify(kinds)
  const { trajectory = null, seq = null } = before ?? {}
  if (last !== undefined)
    return listEntries('last', [dfid, wanted, last, trajectory, seq], tenant, sql).reverse()
  return wanted === null
    ? listEntries('dfid', [dfid], tenant, sql)
    : listEntries('kinds', [dfid, wanted], tenant, sql)
}

export function listEnvelopes(
  from: number,
  limit: number,
  tenant: string,
  sql: Statements,
): LeafEnvelope[] {
  return sql.listRows(ENVELOPES, tenant, from, limit).map((row) => {
    const { id, envelope, leaf } = parseEntry(row)
    return { id, envelope, leaf }
  })
}

export function readWrit(id: string, tenant: string, sql: Statements): WritRow | null {
  const row = sql.get('SELECT * FROM writs WHERE tenant = ? AND id = ?', tenant, id)
  return row === undefined ? null : parseWrit(row)
}

export function listHeads(tenant: string, sql: Statements): readonly TrajectoryHead[] {
  return sql.listRows(HEADS, tenant).map(parseHead)
}

/** The newest. */
export function readCheckpoint(tenant: string, sql: Statements): StoredCheckpoint | null {
  const row = sql.get(CHECKPOINT, tenant)
  return row === undefined ? null : parseCheckpoint(row)
}

const HEADS = `SELECT trajectory, seq, id, at, world_root
  FROM trajectories WHERE tenant = ? ORDER BY trajectory`
const CHECKPOINT = `SELECT epoch, size, note FROM checkpoints
  WHERE tenant = ? ORDER BY epoch DESC, size DESC LIMIT 1`
const ENVELOPES = `SELECT tenant, leaf, trajectory, seq, id, parent, v, kind, at, dfid, authority_seq,
  payload_hash FROM entries WHERE tenant = ? AND leaf >= ? ORDER BY leaf LIMIT ?`
const ENTRIES = {
  trajectory: `SELECT * FROM entries
    WHERE tenant = ? AND trajectory = ? AND seq >= ? ORDER BY seq LIMIT ?`,
  commits: `SELECT * FROM entries
    WHERE tenant = ? AND trajectory = ? AND seq >= ? AND seq < ? AND kind = 'commit' ORDER BY seq`,
  leaf: 'SELECT * FROM entries WHERE tenant = ? AND leaf >= ? ORDER BY leaf LIMIT ?',
  dfid: 'SELECT * FROM entries WHERE tenant = ? AND dfid = ? ORDER BY leaf',
  kinds: `SELECT * FROM entries WHERE tenant = ? AND dfid = ?
    AND kind IN (SELECT value FROM json_each(?)) ORDER BY leaf`,
  last: `SELECT * FROM entries WHERE tenant = ?1 AND dfid = ?2
    AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3)))
    AND leaf < coalesce((SELECT leaf FROM entries WHERE tenant = ?1 AND trajectory = ?5 AND seq = ?6), 9e15)
    ORDER BY leaf DESC LIMIT ?4`,
} as const

const RECORD = 'SELECT * FROM records WHERE tenant = ? AND record = ? AND grp = ? AND key = ?'
