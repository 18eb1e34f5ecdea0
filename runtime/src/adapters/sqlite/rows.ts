/**
 * Rows of the database as the port's values. The casts of this adapter stand here: the tables are
 * STRICT, and only this adapter writes them.
 */
import type { Resource, WorldFact } from 'rubicon-kernel'
import type { RecordBodies, RecordKind, StoredRecord } from '../../ports/record.ts'
import type { LeafEntry } from '../../ports/store.ts'

import { parseEntry as parseStored, parseValue, type Row } from '../unit/parse-row.ts'

export {
  parseBytes,
  parseCheckpoint,
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

/** Of executions `e`, with the entry that an intent is read from. */
export const EXECUTION_COLUMNS = `e.*, (SELECT i.packed FROM entries AS i WHERE i.tenant = e.tenant
  AND i.trajectory = e.trajectory AND i.seq = e.intent_seq) AS intent_packed`

/** Here an entry has its place in the tree as soon as it is stored. */
export function parseEntry(row: Row): LeafEntry {
  return { ...parseStored(row), leaf: row.leaf as number }
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
    retracted: row.retracted === 1,
  }
}

/** Remembered under the name of its kind. */
export function parseKnown<K extends RecordKind>(row: StoredRecord<RecordKind>): StoredRecord<K> {
  return row as StoredRecord<K>
}

export function parseKnownList<K extends RecordKind>(
  rows: readonly StoredRecord<RecordKind>[],
): readonly StoredRecord<K>[] {
  return rows as readonly StoredRecord<K>[]
}

/** The planner keeps bodies of all kinds in one list. */
export function parseLock(
  group: string,
  key: string,
  version: number,
  body: RecordBodies[RecordKind],
): StoredRecord<'lock'> {
  return { group, key, version, body: body as RecordBodies['lock'] }
}
