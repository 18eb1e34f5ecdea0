/**
 * Rows of a database as the port's values, as far as SQLite and Postgres name and type their columns
 * alike. Casts stand here: columns have their types, and only the adapters write them.
 */
import {
  type Address,
  type EntryKind,
  type Envelope,
  isAddress,
  type JsonValue,
} from 'rubicon-kernel'
import type { RecordBodies, RecordKind, StoredRecord } from '../../ports/record.ts'
import {
  type ExecutionRow,
  type FlowRow,
  type FlowSummary,
  type StoredCheckpoint,
  type StoredEntry,
  StoreError,
  type TrajectoryHead,
  type WritRow,
} from '../../ports/store.ts'
import { ERASED_INTENT } from './erased-rows.ts'
import { parseHistory } from './flow-history.ts'
import { extractIntent } from './held-intent.ts'
import { UNREADABLE, unpackText } from './packed-text.ts'

export type Row = Record<string, unknown>

export function parseHead(row: Row): TrajectoryHead {
  return {
    trajectory: row.trajectory as string,
    seq: row.seq as number,
    id: row.id as Address,
    at: row.at as string,
    world_root: row.world_root as string,
  }
}

export function parseEntry(row: Row): StoredEntry {
  const { dfid, authority_seq } = row
  const envelope: Envelope = {
    v: row.v as Envelope['v'],
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
    payload: parsePayload(row),
    leaf: row.leaf as number | null,
  }
}

/** As text, or packed; null where it was erased. Nobody of ours says it twice: that fits no hash. */
function parsePayload({ payload, packed }: Row): string | null {
  if (!(packed instanceof Uint8Array)) return payload as string | null
  return payload === null ? unpackText(packed) : UNREADABLE
}

export function parseFlow(row: Row): FlowRow {
  return {
    dfid: row.dfid as string,
    version: row.version as number,
    agent_id: row.agent_id as string,
    trigger: row.trigger_event as string,
    parent_dfid: row.parent_dfid as string | null,
    root_dfid: row.root_dfid as string,
    trajectory: row.trajectory as string,
    state: row.state as FlowRow['state'],
    tags: row.tags === '[]' ? [] : (JSON.parse(row.tags as string) as FlowRow['tags']),
    steps: row.steps as FlowRow['steps'],
    rejections: row.rejections as number,
    transient_rejections: row.transient_rejections as number,
    attempts: row.attempts as number,
    snapshot_id: row.snapshot_id as string,
    snapshot_at: row.snapshot_at as string,
    mission_hash: row.mission_hash as string,
    contract_hash: row.contract_hash as Address,
    contract_seq: row.contract_seq as number,
    writs: JSON.parse(row.writs as string) as FlowRow['writs'],
    opened_at: row.opened_at as string,
    expires_at: row.expires_at as string,
    updated_at: row.updated_at as string,
    history: parseHistory(row.history as string),
    event: row.event === null ? null : (JSON.parse(row.event as string) as FlowRow['event']),
  }
}

/** In the order in which lists show them. */
export const SUMMARY_COLUMNS = `dfid, agent_id, trigger_event, parent_dfid, root_dfid, trajectory, state,
  tags, steps, rejections, attempts, opened_at, updated_at`

export function parseFlowSummary(row: Row): FlowSummary {
  return {
    dfid: row.dfid as string,
    agent_id: row.agent_id as string,
    trigger: row.trigger_event as string,
    parent_dfid: row.parent_dfid as string | null,
    root_dfid: row.root_dfid as string,
    trajectory: row.trajectory as string,
    state: row.state as FlowSummary['state'],
    tags: row.tags === '[]' ? [] : (JSON.parse(row.tags as string) as FlowSummary['tags']),
    steps: row.steps as FlowSummary['steps'],
    rejections: row.rejections as number,
    attempts: row.attempts as number,
    opened_at: row.opened_at as string,
    updated_at: row.updated_at as string,
  }
}

export function parseExecution(row: Row): ExecutionRow {
  return {
    dfid: row.dfid as string,
    step_id: row.step_id as string,
    version: row.version as number,
    trajectory: row.trajectory as string,
    status: row.status as ExecutionRow['status'],
    policy_kind: row.policy_kind as string,
    params_fingerprint: row.params_fingerprint as string,
    idempotency_key: row.idempotency_key as string,
    intent: parseIntentText(row),
    dispatched: {
      trajectory: row.dispatched_trajectory as string,
      seq: row.dispatched_seq as number,
    },
    dispatched_at: row.dispatched_at as string,
    last_sent_at: row.last_sent_at as string,
    sends: row.sends as number,
    probes: row.probes as number,
    epoch: row.epoch as number,
    next_at: row.next_at as string | null,
    reason_code: row.reason_code as string | null,
    details: parseValue(row.details) as ExecutionRow['details'],
    result: parseValue(row.result),
    receipt: parseValue(row.receipt),
    settled_at: row.settled_at as string | null,
  }
}

/** The text of a row, or what the entry says that the row refers to. What says nothing is as if erased. */
function parseIntentText({ intent, intent_seq, intent_packed }: Row): string {
  if (typeof intent_seq !== 'number') return intent as string
  if (intent !== '' || !(intent_packed instanceof Uint8Array)) return ERASED_INTENT
  return extractIntent(unpackText(intent_packed)) ?? ERASED_INTENT
}

export function parseWrit(row: Row): WritRow {
  const position = { trajectory: row.trajectory as string, seq: row.seq as number }
  return { writ: JSON.parse(row.writ as string) as WritRow['writ'], position }
}

export function parseRecord<K extends RecordKind>(row: Row): StoredRecord<K> {
  return {
    group: row.grp as string,
    key: row.key as string,
    version: row.version as number,
    body: JSON.parse(row.body as string) as RecordBodies[K],
  }
}

export function parseCheckpoint(row: Row): StoredCheckpoint {
  return {
    epoch: row.epoch as number,
    size: row.size as number,
    note: row.note as string,
  }
}

/** What is no address cannot have been written by us. */
export function parseId(row: Row): Address {
  const id = row.id as string
  if (isAddress(id)) return id
  throw new StoreError('STORE_CORRUPT', `\`${id}\` is not the id of an entry`, 'restore a backup')
}

export function parseText(row: Row | undefined, column: string): string {
  return row?.[column] as string
}

export function parseNumber(row: Row | undefined, column: string): number | undefined {
  return row?.[column] as number | undefined
}

export function parseBytes(row: Row | undefined, column: string): Uint8Array | undefined {
  return row?.[column] as Uint8Array | undefined
}

export function parseValue(text: unknown): JsonValue {
  return text === 'null' ? null : (JSON.parse(text as string) as JsonValue)
}
