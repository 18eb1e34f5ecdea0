import { hex, isIdentifier, resourceKey, type Sha256, unhex, type WorldFact } from 'rubicon-kernel'
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type {
  ExecutionRow,
  FlowFilter,
  FlowRow,
  LeafEntry,
  Store,
  StoredEntry,
  Tallied,
  TrajectoryHead,
} from '../../ports/store.ts'
import { lookup } from './bulk.ts'
import { arrayOf, type Parameter } from './parameters.ts'
import {
  ENTRIES_PLACED,
  ENTRY_COLUMNS,
  EXECUTION_COLUMNS,
  FLOW_COLUMNS,
  HEAD_COLUMNS,
  PLACES_ENTERED,
  parseBytes,
  parseEntry,
  parseExecution,
  parseFlow,
  parseHead,
  parseLeaf,
  parseNumber,
  parseRecord,
  parseWorldFact,
  RECORD_COLUMNS,
  RESOURCE_COLUMNS,
  type Row,
} from './rows.ts'
import type { Session, Statement } from './session.ts'

type ExecutionFilter = Parameters<Store['executions']>[0]

/** Newest first: a dfid starts with its time. */
export async function listFlows(
  { state, agent_id, parent_dfid, before, limit }: FlowFilter,
  tenant: string,
  session: Session,
): Promise<FlowRow[]> {
  const query = new Query('flows', FLOW_COLUMNS, 'flows', tenant)
  if (state !== undefined) whereState(query, state)
  if (agent_id !== undefined) query.where('agent', 'agent_id = ?', agent_id)
  if (parent_dfid !== undefined) query.where('parent', 'parent_dfid = ?', parent_dfid)
  if (before !== undefined) query.where('before', 'dfid < ?', before)
  return (await query.all('dfid DESC', limit, session)).map(parseFlow)
}

/** Oldest first, steps of a flow by name. */
export async function listExecutions(
  { status, dfid, limit }: ExecutionFilter,
  tenant: string,
  session: Session,
): Promise<ExecutionRow[]> {
  const query = new Query('executions', EXECUTION_COLUMNS, 'executions', tenant)
  if (status !== undefined) whereStatus(query, status)
  if (dfid !== undefined) query.where('dfid', 'dfid = ?', dfid)
  return (await query.all('dfid, step_id', limit, session)).map(parseExecution)
}

function whereState(query: Query, state: readonly FlowRow['state'][]): void {
  query.where('state', 'state = ANY(?::text[])', arrayOf('text', state))
  // Said once more in the words of the index over open flows, or it would not be used.
  if (!state.includes('CLOSED') && !state.includes('ABORTED')) query.where('open', OPEN_FLOW)
}

function whereStatus(query: Query, status: readonly ExecutionRow['status'][]): void {
  query.where('status', 'status = ANY(?::text[])', arrayOf('text', status))
  const isOpen = !status.some((one) => SETTLED.includes(one))
  if (isOpen) query.where('open', OPEN_EXECUTION)
}

export async function tally(what: Tallied, tenant: string, session: Session): Promise<number> {
  const query = new Query(`${what.of}_count`, 'count(*) AS found', what.of, tenant)
  if (what.of === 'flows') whereState(query, what.state)
  if (what.of === 'executions') whereStatus(query, what.status)
  if (what.of === 'records') query.where('record', 'record = ?', what.record)
  if (what.of === 'records' && what.group !== undefined) query.where('group', 'grp = ?', what.group)
  return parseNumber((await query.whole(session))[0], 'found') ?? 0
}

export async function listRecords<K extends RecordKind>(
  record: K,
  group: string,
  { after, until, newest = false, limit }: RecordRange,
  tenant: string,
  session: Session,
): Promise<StoredRecord<K>[]> {
  const query = new Query('records', RECORD_COLUMNS, 'records', tenant)
  query.where('group', 'record = ? AND grp = ?', record, group)
  if (after !== undefined) query.where('after', 'key > ?', after)
  if (until !== undefined) query.where('until', 'key <= ?', until)
  return (await query.all(newest ? 'key DESC' : 'key', limit, session)).map(parseRecord<K>)
}

/** In the order that was asked for. */
export async function listResources(
  trajectory: string,
  refs: readonly { readonly kind: string; readonly id: string }[],
  tenant: string,
  session: Session,
  sha256: Sha256,
): Promise<WorldFact[]> {
  const asked = refs.filter(({ kind }) => isIdentifier(kind))
  if (asked.length === 0) return []
  const keys = asked.map(({ kind, id }) => resourceKey(kind, id, sha256))
  const everywhere = keys.map(() => trajectory)
  const arrays = [arrayOf('text', everywhere), arrayOf('bytea', keys)]
  const rows = await session.run(RESOURCES, tenant, ...arrays)
  const found = new Map(rows.map((row) => [hex(parseKey(row)), parseWorldFact(row)]))
  return keys.flatMap((key) => found.get(hex(key)) ?? [])
}

export async function worldPage(
  trajectory: string,
  after: string | null,
  limit: number,
  tenant: string,
  session: Session,
): Promise<WorldFact[]> {
  const start = after === null ? new Uint8Array() : (unhex(after) ?? new Uint8Array())
  const rows = await session.run(WORLD_PAGE, tenant, trajectory, Buffer.from(start), limit)
  return rows.map(parseWorldFact)
}

export async function listHeads(tenant: string, session: Session): Promise<TrajectoryHead[]> {
  return (await session.run(HEADS, tenant)).map(parseHead)
}

export async function listEntries(
  trajectory: string,
  from: number,
  limit: number,
  tenant: string,
  session: Session,
): Promise<StoredEntry[]> {
  return (await session.run(ENTRIES, tenant, trajectory, from, limit)).map(parseEntry)
}

export async function listFlowEntries(
  dfid: string,
  tenant: string,
  session: Session,
): Promise<StoredEntry[]> {
  return (await session.run(FLOW_ENTRIES, tenant, dfid)).map(parseEntry)
}

export async function listLeaves(
  from: number,
  limit: number,
  tenant: string,
  session: Session,
): Promise<LeafEntry[]> {
  return (await session.run(LEAVES, tenant, from, limit)).map(parseLeaf)
}

const RESOURCES = lookup('resources_named', RESOURCE_COLUMNS, 'resources', {
  trajectory: 'text',
  key: 'bytea',
})
const WORLD_PAGE: Statement = {
  name: 'world_page',
  text: `SELECT ${RESOURCE_COLUMNS} FROM resources
    WHERE tenant = $1 AND trajectory = $2 AND key > $3 ORDER BY key LIMIT $4`,
}
const HEADS: Statement = {
  name: 'heads',
  text: `SELECT ${HEAD_COLUMNS} FROM trajectories WHERE tenant = $1 ORDER BY trajectory`,
}
const ENTRIES: Statement = {
  name: 'entries',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND trajectory = $2 AND seq >= $3 ORDER BY seq LIMIT $4`,
}
const FLOW_ENTRIES: Statement = {
  name: 'flow_entries',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND dfid = $2 ORDER BY row`,
}
const LEAVES: Statement = {
  name: 'leaves',
  text: `SELECT e.*, l.leaf
    FROM (SELECT leaf, row FROM leaves WHERE tenant = $1 AND leaf >= $2 ORDER BY leaf LIMIT $3) AS l
    ${PLACES_ENTERED}
    ORDER BY l.leaf`,
}

const OPEN_FLOW = 'open'
const OPEN_EXECUTION = "status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED')"
const SETTLED: readonly ExecutionRow['status'][] = ['SUCCESS', 'FAILED', 'ABANDONED']

function parseKey(row: Row): Uint8Array {
  return parseBytes(row, 'key') ?? new Uint8Array()
}

/** Conditions are constants of this file; everything from outside is a parameter. */
class Query {
  #name: string
  readonly #select: string
  readonly #conditions: string[] = ['tenant = $1']
  readonly #parameters: Parameter[]

  constructor(name: string, columns: string, table: string, tenant: string) {
    this.#name = `list_${name}`
    this.#select = `SELECT ${columns} FROM ${table}`
    this.#parameters = [tenant]
  }

  /** `name` tells the prepared statements apart. */
  where(name: string, condition: string, ...parameters: Parameter[]): void {
    this.#name += `_${name}`
    const numbered = condition.split('?').reduce((text, rest, i) => {
      return `${text}$${this.#parameters.length + i}${rest}`
    })
    this.#conditions.push(numbered)
    this.#parameters.push(...parameters)
  }

  whole(session: Session): Promise<Row[]> {
    const text = `${this.#select} WHERE ${this.#conditions.join(' AND ')}`
    return session.run({ name: this.#name, text }, ...this.#parameters)
  }

  all(order: string, limit: number, session: Session): Promise<Row[]> {
    const where = this.#conditions.join(' AND ')
    const last = `$${this.#parameters.length + 1}`
    const text = `${this.#select} WHERE ${where} ORDER BY ${order} LIMIT ${last}`
    const name = order.endsWith('DESC') ? `${this.#name}_back` : this.#name
    return session.run({ name, text }, ...this.#parameters, limit)
  }
}
