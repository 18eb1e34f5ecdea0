/**
 * Rows of the database as the port's values. The casts of this adapter stand here: the tables are
 * STRICT, and only this adapter writes them.
 */
import type { Address, EntryKind, Envelope, Resource, WorldFact } from 'rubicon-kernel'
import type { RecordBodies, RecordKind, StoredRecord } from '../../ports/record.ts'
import type { LeafEntry } from '../../ports/store.ts'

import { parseValue, type Row } from '../unit/parse-row.ts'

export {
  parseBytes,
  parseCheckpoint,
  parseExecution,
  parseFlow,
  parseHead,
  parseNumber,
  parseRecord,
  parseWrit,
  type Row,
} from '../unit/parse-row.ts'

export function parseEntry(row: Row): LeafEntry {
  const { dfid, authority_seq } = row
  const envelope: Envelope = {
    v: row.v as 1,
    tenant: row.tenant as string,
    trajectory: row.trajectory as string,
    seq: row.seq as number,
    parent: row.parent as Address | null,
    kind: row.kind as EntryKind,
    at: row.at as string,
    ...(dfid === null ? {} : { dfid: dfid as string }),
    ...(authority_seq === null ? {} : { authority_seq: authority_seq as number }),
    payload_hash: row.payload_hash as Address,
  }
  return {
    id: row.id as Address,
    envelope,
    payload: row.payload as string | null,
    leaf: row.leaf as number,
  }
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

/** The planner keeps bodies of all kinds in one list. */
export function parseLock(
  group: string,
  key: string,
  version: number,
  body: RecordBodies[RecordKind],
): StoredRecord<'lock'> {
  return { group, key, version, body: body as RecordBodies['lock'] }
}
