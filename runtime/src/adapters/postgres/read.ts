import { decodeHex, type WorldFact } from 'rubicon-kernel'
import type { EntryKinds, EntryPlace } from '../../ports/entry-kinds.ts'
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type { LeafEntry, LeafEnvelope, StoredEntry, TrajectoryHead } from '../../ports/store.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import { encodeArray } from './parameters.ts'
import { PostgresQuery } from './query.ts'
import {
  ENTRIES_PLACED,
  ENTRY_COLUMNS,
  HEAD_COLUMNS,
  ID_COLUMNS,
  PLACES_ENTERED,
  parseEntry,
  parseHead,
  parseLeaf,
  parseWorldFact,
  RECORD_COLUMNS,
  RESOURCE_COLUMNS,
  type Row,
} from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'

export async function listRecords<K extends RecordKind>(
  record: K,
  group: string,
  range: RecordRange,
  tenant: string,
  session: DatabaseSession,
  codes: RowCodes,
): Promise<StoredRecord<K>[]> {
  for (let limit = range.limit; ; ) {
    const rows = await queryRecordGroup(record, group, { ...range, limit }, tenant, session)
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
  session: DatabaseSession,
): Promise<readonly Row[]> {
  const query = new PostgresQuery('records', RECORD_COLUMNS, 'records', tenant)
  query.addCondition('group', 'record = ? AND grp = ?', record, group)
  if (after !== undefined) query.addCondition('after', 'key > ?', after)
  if (until !== undefined) query.addCondition('until', 'key <= ?', until)
  return query.selectRows(newest ? 'key DESC' : 'key', limit, session)
}

export async function listWorldPage(
  trajectory: string,
  after: string | null,
  limit: number,
  tenant: string,
  session: DatabaseSession,
): Promise<WorldFact[]> {
  const start = after === null ? new Uint8Array() : (decodeHex(after) ?? new Uint8Array())
  const rows = await session.run(WORLD_PAGE, tenant, trajectory, Buffer.from(start), limit)
  return rows.map(parseWorldFact)
}

export async function listHeads(
  tenant: string,
  session: DatabaseSession,
): Promise<TrajectoryHead[]> {
  return (await session.run(HEADS, tenant)).map(parseHead)
}

export async function listEntries(
  trajectory: string,
  from: number,
  limit: number,
  tenant: string,
  session: DatabaseSession,
): Promise<StoredEntry[]> {
  return (await session.run(ENTRIES, tenant, trajectory, from, limit)).map(parseEntry)
}

export async function listCommits(
  trajectory: string,
  from: number,
  to: number,
  tenant: string,
  session: DatabaseSession,
): Promise<StoredEntry[]> {
  return (await session.run(COMMITS, tenant, trajectory, from, to)).map(parseEntry)
}

type FlowPart = {
  readonly kinds: EntryKinds | undefined
  readonly last: number | undefined
  readonly before: EntryPlace | undefined
}

export async function listFlowEntries(
  dfid: string,
  { kinds, last, before }: FlowPart,
  tenant: string,
  session: DatabaseSession,
): Promise<StoredEntry[]> {
  if (last !== undefined) {
    const wanted = kinds === undefined ? null : encodeArray('text', kinds)
    const { trajectory = null, seq = null } = before ?? {}
    const place = [trajectory, seq] as const
    return (await session.run(LAST_FLOW_ENTRIES, tenant, dfid, wanted, last, ...place))
      .map(parseEntry)
      .reverse()
  }
  const rows = await (kinds === undefined
    ? session.run(FLOW_ENTRIES, tenant, dfid)
    : session.run(FLOW_ENTRIES_OF_KINDS, tenant, dfid, encodeArray('text', kinds)))
  return rows.map(parseEntry)
}

export async function listLeaves(
  from: number,
  limit: number,
  tenant: string,
  session: DatabaseSession,
): Promise<LeafEntry[]> {
  return (await session.run(LEAVES, tenant, from, limit)).map(parseLeaf)
}

export async function listLeafEnvelopes(
  from: number,
  limit: number,
  tenant: string,
  session: DatabaseSession,
): Promise<LeafEnvelope[]> {
  return (await session.run(LEAF_ENVELOPES, tenant, from, limit)).map((row) => {
    const { id, envelope, leaf } = parseLeaf(row)
    return { id, envelope, leaf }
  })
}

const WORLD_PAGE: NamedStatement = {
  name: 'world_page',
  text: `SELECT ${RESOURCE_COLUMNS} FROM resources
    WHERE tenant = $1 AND trajectory = $2 AND key > $3 ORDER BY key LIMIT $4`,
}
const HEADS: NamedStatement = {
  name: 'heads',
  text: `SELECT ${HEAD_COLUMNS} FROM trajectories WHERE tenant = $1 ORDER BY trajectory`,
}
const ENTRIES: NamedStatement = {
  name: 'entries',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND trajectory = $2 AND seq >= $3 ORDER BY seq LIMIT $4`,
}
const COMMITS: NamedStatement = {
  name: 'commits',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND trajectory = $2 AND seq >= $3 AND seq < $4 AND kind = 'commit'
    ORDER BY seq`,
}
const FLOW_ENTRIES: NamedStatement = {
  name: 'flow_entries',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND dfid = $2 ORDER BY row`,
}
const FLOW_ENTRIES_OF_KINDS: NamedStatement = {
  name: 'flow_entries_of_kinds',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND dfid = $2 AND kind = ANY($3::text[]) ORDER BY row`,
}
const LAST_FLOW_ENTRIES: NamedStatement = {
  name: 'last_flow_entries',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND dfid = $2 AND ($3::text[] IS NULL OR kind = ANY($3::text[]))
      AND row < COALESCE((SELECT row FROM entries AS one
        WHERE one.tenant = $1 AND one.trajectory = $5::text AND one.seq = $6::bigint), 9223372036854775807)
    ORDER BY row DESC LIMIT $4`,
}
const LEAF_ENVELOPES: NamedStatement = {
  name: 'envelopes_of_leaves',
  text: `SELECT e.*, l.leaf
    FROM (SELECT leaf, row FROM leaves WHERE tenant = $1 AND leaf >= $2 ORDER BY leaf LIMIT $3) AS l
    CROSS JOIN LATERAL (SELECT ${ID_COLUMNS} FROM entries WHERE entries.row = l.row OFFSET 0) AS e
    ORDER BY l.leaf`,
}
const LEAVES: NamedStatement = {
  name: 'leaves',
  text: `SELECT e.*, l.leaf
    FROM (SELECT leaf, row FROM leaves WHERE tenant = $1 AND leaf >= $2 ORDER BY leaf LIMIT $3) AS l
    ${PLACES_ENTERED}
    ORDER BY l.leaf`,
}
