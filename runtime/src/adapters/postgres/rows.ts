/**
 * Rows of the database as the port's values. The casts of this adapter stand here: columns have
 * their types, and only this adapter writes them.
 */
import { assert, type Resource, type WorldFact } from 'rubicon-kernel'
import type { RecordKind, RecordRef } from '../../ports/record.ts'
import type { LeafEntry } from '../../ports/store.ts'

import { parseEntry, parseValue, type Row } from '../unit/parse-row.ts'

export {
  parseBytes,
  parseCheckpoint,
  parseEntry,
  parseExecution,
  parseFlow,
  parseFlowSummary,
  parseHead,
  parseId,
  parseNumber,
  parseRecord,
  parseText,
  parseWrit,
  type Row,
  SUMMARY_COLUMNS,
} from '../unit/parse-row.ts'

/** What an id is made of, and the id. */
export const ID_COLUMNS = `tenant, trajectory, seq, id, parent, v, kind, at, dfid, authority_seq,
  payload_hash`
const ENVELOPE_COLUMNS = `${ID_COLUMNS}, payload, packed`
export const ENTRY_COLUMNS: string = `${ENVELOPE_COLUMNS}, l.leaf`
/** Entries `e` with their places `l`, by key however large both are. */
export const ENTRIES_PLACED = `entries AS e LEFT JOIN LATERAL (
  SELECT leaf FROM leaves WHERE leaves.row = e.row OFFSET 0) AS l ON true`
/** The places `l` with their entries `e`. */
export const PLACES_ENTERED: string = `CROSS JOIN LATERAL (
  SELECT ${ENVELOPE_COLUMNS} FROM entries WHERE entries.row = l.row OFFSET 0) AS e`
export const HEAD_COLUMNS = 'trajectory, seq, id, at, world_root'
export const FLOW_COLUMNS = `dfid, version, agent_id, trigger_event, parent_dfid, root_dfid,
  trajectory, state, tags, steps, rejections, transient_rejections, attempts, snapshot_id,
  snapshot_at, mission_hash, contract_hash, contract_seq, writs, opened_at, expires_at,
  updated_at, history, event`
const STORED_EXECUTION = `dfid, step_id, version, trajectory, status, policy_kind,
  params_fingerprint, idempotency_key, intent, intent_seq, dispatched_trajectory, dispatched_seq,
  dispatched_at, last_sent_at, sends, probes, epoch, next_at, reason_code, details, result, receipt,
  settled_at`
/** Of executions under that name, with the entry that an intent is read from. */
export function buildExecutionColumns(executions: string): string {
  return `${STORED_EXECUTION}, (SELECT i.packed FROM entries AS i
    WHERE i.tenant = ${executions}.tenant AND i.trajectory = ${executions}.trajectory
      AND i.seq = ${executions}.intent_seq) AS intent_packed`
}
export const RESOURCE_COLUMNS = 'trajectory, key, kind, id, version, retracted, last_entry, value'
export const RECORD_COLUMNS = 'record, grp, key, version, body, code'
export const COUNTER_COLUMNS = 'id, used, code'

export function parseLeaf(row: Row): LeafEntry {
  const entry = parseEntry(row)
  assert(entry.leaf !== null, 'a leaf has its place')
  return { ...entry, leaf: entry.leaf }
}

export function parseResource(row: Row): Resource {
  return { ...parseWorldFact(row), last_entry: row.last_entry as string }
}

export function parseWorldFact(row: Row): WorldFact {
  return {
    kind: row.kind as string,
    id: row.id as string,
    version: row.version as number,
    value: parseValue(row.value),
    retracted: row.retracted as boolean,
  }
}

export function parseRecordRef(row: Row): RecordRef {
  return { record: row.record as RecordKind, group: row.grp as string, key: row.key as string }
}

export function parseFlag(row: Row | undefined, column: string): boolean {
  return row?.[column] === true
}
