/**
 * Reads for a batch what its units may ask for, after the names of all of it were locked. Each
 * statement sees everything that was committed before it began, so also what the last holder of a
 * lock left behind.
 */
import { AUTHORITY, decodeTrieNode, type TrieNode } from 'rubicon-kernel'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import { createDamagedPageError } from '../unit/world-check.ts'
import { buildLookup } from './bulk.ts'
import { encodeArray } from './parameters.ts'
import {
  COUNTER_COLUMNS,
  HEAD_COLUMNS,
  parseBytes,
  parseHead,
  parseNumber,
  parseRecordRef,
  parseResource,
  parseText,
  RECORD_COLUMNS,
  RESOURCE_COLUMNS,
  type Row,
} from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'
import type { PostgresState } from './state.ts'
import {
  joinKey,
  type PageRef,
  recordName,
  toPageName,
  toWorldName,
  type WantedRows,
} from './wanted.ts'

/** Where the rows of a batch come from and where they go. */
export type Fetching = {
  readonly state: PostgresState
  readonly tenant: string
  readonly session: DatabaseSession
  readonly codes: RowCodes
}

type Read = (fetching: Fetching, wanted: WantedRows) => Promise<void> | undefined

/** Sends every read that is needed; the caller waits for the promises. */
export function fetchWanted(fetching: Fetching, wanted: WantedRows): Promise<void>[] {
  return READS.flatMap((read) => read(fetching, wanted) ?? [])
}

export async function fetchPages(fetching: Fetching, refs: readonly PageRef[]): Promise<void> {
  const { state, tenant, session } = fetching
  const arrays = [
    encodeTexts(refs, (ref) => ref.trajectory),
    encodeTexts(refs, (ref) => ref.prefix),
  ]
  const rows = await session.run(PAGES, tenant, ...arrays)
  keep(state.pages, refs.map(toPageName), rows, (row) => toPageName(parsePageRef(row)), parsePage)
}

const READS: readonly Read[] = [
  /** Nobody can move it: who appends to it waits for our authority lock. */
  async ({ state, tenant, session }) => {
    const [row] = await session.run(AUTHORITY_HEAD, tenant)
    state.heads.set(AUTHORITY, row === undefined ? null : parseHead(row))
  },
  ({ state, tenant, session }, { trajectories }) =>
    readIfAny(trajectories, async (names) => {
      const rows = await session.run(HEADS, tenant, encodeArray('text', names))
      keep(state.heads, names, rows, (row) => parseText(row, 'trajectory'), parseHead)
    }),
  ({ state, tenant, session }, { epochs }) =>
    readIfAny(epochs, async (asked) => {
      const rows = await session.run(EPOCHS, tenant, encodeArray('bigint', asked))
      for (const row of rows) state.epochs.add(parseNumber(row, 'epoch') ?? 0)
    }),
  ({ state, tenant, session }, { flows }) =>
    readIfAny(flows, async (dfids) => {
      const rows = await session.run(FLOWS, tenant, encodeArray('text', dfids))
      keep(state.flows, dfids, rows, (row) => parseText(row, 'dfid'), parseVersion)
    }),
  ({ state, tenant, session }, { flowCounts }) =>
    readIfAny(flowCounts.values(), async (refs) => {
      const arrays = [
        encodeTexts(refs, (ref) => ref.dfid),
        encodeTexts(refs, (ref) => ref.trajectory),
      ]
      const rows = await session.run(FLOW_COUNTS, tenant, ...arrays)
      const toRowName = (row: Row) => joinKey(parseText(row, 'dfid'), parseText(row, 'trajectory'))
      const count = (row: Row) => parseNumber(row, 'entries') ?? 0
      keep(state.flowCounts, [...flowCounts.keys()], rows, toRowName, count)
    }),
  ({ state, tenant, session }, { steps }) =>
    readIfAny(steps.values(), async (refs) => {
      const arrays = [encodeTexts(refs, (ref) => ref.dfid), encodeTexts(refs, (ref) => ref.step_id)]
      const rows = await session.run(EXECUTIONS, tenant, ...arrays)
      const toRowName = (row: Row) => joinKey(parseText(row, 'dfid'), parseText(row, 'step_id'))
      keep(state.executions, [...steps.keys()], rows, toRowName, parseVersion)
    }),
  ({ state, tenant, session, codes }, { counters }) =>
    readIfAny(counters, async (ids) => {
      const rows = await session.run(COUNTERS, tenant, encodeArray('text', ids))
      const parseUsed = (row: Row) =>
        catchDivergence(() => codes.parseCounter(parseText(row, 'id'), row))
      keep(state.counters, ids, rows, (row) => parseText(row, 'id'), parseUsed)
    }),
  ({ state, tenant, session, codes }, { records }) =>
    readIfAny(records.values(), async (refs) => {
      const [kinds, groups] = [
        encodeTexts(refs, (ref) => ref.record),
        encodeTexts(refs, (ref) => ref.group),
      ]
      const keys = encodeTexts(refs, (ref) => ref.key)
      const rows = await session.run(RECORDS, tenant, kinds, groups, keys)
      const toRowName = (row: Row) => recordName(parseRecordRef(row))
      const parseRecordVersion = (row: Row) =>
        catchDivergence(() => (codes.isRecord(row) ? parseVersion(row) : null))
      keep(state.recordVersions, [...records.keys()], rows, toRowName, parseRecordVersion)
    }),
  ({ state, tenant, session, codes }, { locks }) =>
    readIfAny(locks, async (resources) => {
      const arrays = [encodeTexts(resources, () => 'lock'), encodeArray('text', resources)]
      const rows = await session.run(LOCKS, tenant, ...arrays)
      for (const resource of resources) state.lockRecords.set(resource, new Map())
      for (const row of rows) {
        const lock = catchDivergence(() => codes.record<'lock'>(row))
        if (lock instanceof StoreDiverged) state.refusedHolds.set(parseText(row, 'grp'), lock)
        else if (lock !== undefined) state.lockRecords.get(lock.group)?.set(lock.key, lock)
      }
    }),
  ({ state, tenant, session }, { resources }) =>
    readIfAny(resources.values(), async (refs) => {
      const keys = refs.map(({ key }) => key)
      const arrays = [encodeTexts(refs, (ref) => ref.trajectory), encodeArray('bytea', keys)]
      const rows = await session.run(RESOURCES, tenant, ...arrays)
      const toRowName = (row: Row) => {
        return toWorldName({ ...parseResource(row), trajectory: parseText(row, 'trajectory') })
      }
      keep(state.resourceRows, [...resources.keys()], rows, toRowName, parseResource)
    }),
  (fetching, { pages }) => readIfAny(pages.values(), (refs) => fetchPages(fetching, refs)),
]

function readIfAny<T>(
  values: Iterable<T>,
  read: (values: readonly T[]) => Promise<void>,
): Promise<void> | undefined {
  const list = [...values]
  return list.length === 0 ? undefined : read(list)
}

function encodeTexts<T>(rows: readonly T[], of: (row: T) => string): Uint8Array {
  return encodeArray('text', rows.map(of))
}

/** What was asked for and not found is known to be absent. */
function keep<V>(
  known: Map<string, V | null>,
  asked: readonly string[],
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  parse: (row: Row) => V | null,
): void {
  for (const name of asked) known.set(name, null)
  for (const row of rows) known.set(nameOf(row), parse(row))
}

/** A row that is refused is refused to whoever asks for it, and to nobody else of the batch. */
function catchDivergence<V>(read: () => V): V | StoreDiverged {
  try {
    return read()
  } catch (error) {
    if (error instanceof StoreDiverged) return error
    throw error
  }
}

function parseVersion(row: Row): number {
  return parseNumber(row, 'version') ?? 0
}

export function parsePageRef(row: Row): PageRef {
  return { trajectory: parseText(row, 'trajectory'), prefix: parseText(row, 'prefix') }
}

export function parsePage(row: Row): TrieNode {
  const page = decodeTrieNode(parseBytes(row, 'page') ?? new Uint8Array())
  if (page !== undefined) return page
  const { trajectory, prefix } = parsePageRef(row)
  throw createDamagedPageError(trajectory, prefix)
}

const AUTHORITY_HEAD: NamedStatement = {
  name: 'authority_head',
  text: `SELECT ${HEAD_COLUMNS} FROM trajectories WHERE tenant = $1 AND trajectory = '${AUTHORITY}'`,
}
/** The heads stay ours until the end of the transaction. */
const HEADS: NamedStatement = {
  name: 'heads_held',
  text: `SELECT ${HEAD_COLUMNS} FROM trajectories
    WHERE tenant = $1 AND trajectory = ANY($2::text[]) ORDER BY trajectory FOR UPDATE`,
}
/** Nobody declares them dead before the transaction ends. */
const EPOCHS: NamedStatement = {
  name: 'epochs_held',
  text: `SELECT epoch FROM engines
    WHERE tenant = $1 AND epoch = ANY($2::bigint[]) AND ended_at IS NULL ORDER BY epoch FOR SHARE`,
}
const FLOWS = buildLookup('flow_versions', 'dfid, version', 'flows', { dfid: 'text' })
const FLOW_COUNTS: NamedStatement = {
  name: 'flow_counts',
  text: `SELECT asked.dfid, asked.trajectory, count(e.id) AS entries
    FROM unnest($2::text[], $3::text[]) AS asked (dfid, trajectory)
    LEFT JOIN entries AS e
      ON e.dfid = asked.dfid AND e.tenant = $1 AND e.trajectory = asked.trajectory
    GROUP BY asked.dfid, asked.trajectory`,
}
const EXECUTIONS = buildLookup('execution_versions', 'dfid, step_id, version', 'executions', {
  dfid: 'text',
  step_id: 'text',
})
const COUNTERS = buildLookup('counters_used', COUNTER_COLUMNS, 'counters', { id: 'text' })
const RECORDS = buildLookup('record_versions', RECORD_COLUMNS, 'records', {
  record: 'text',
  grp: 'text',
  key: 'text',
})
const LOCKS = buildLookup('holds', RECORD_COLUMNS, 'records', { record: 'text', grp: 'text' })
const RESOURCES = buildLookup('resources_asked', RESOURCE_COLUMNS, 'resources', {
  trajectory: 'text',
  key: 'bytea',
})
export const PAGES: NamedStatement = buildLookup(
  'pages_asked',
  'trajectory, prefix, page',
  'world_nodes',
  {
    trajectory: 'text',
    prefix: 'text',
  },
)
