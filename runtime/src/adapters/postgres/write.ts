/** Writes what a batch has to write, a table at a time. */
import {
  encodeTrieNode,
  hashResourceKey,
  type Resource,
  type Sha256,
  type TrieNode,
  toCanonicalText,
} from 'rubicon-kernel'
import type { RecordRef } from '../../ports/record.ts'
import type {
  ExecutionRow,
  FlowRow,
  StoredCheckpoint,
  TrajectoryHead,
  WritRow,
} from '../../ports/store.ts'
import { encodeHistory } from '../unit/flow-history.ts'
import { type IntentColumns, toIntentColumns } from '../unit/held-intent.ts'
import { type PackedEntry, packEntry } from '../unit/packed-entry.ts'
import { packText } from '../unit/packed-text.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import { ARCHIVE, ARCHIVED, RESTORE, RESTORED } from './archive-statements.ts'
import {
  type Column,
  changeStatement,
  createColumn,
  dropStatement,
  encodeColumnArrays,
  insertStatement,
  putStatement,
} from './bulk.ts'
import type { Changes, NewEntry } from './changes.ts'
import { ERASE, ERASED } from './erase-statements.ts'
import { type SealRow, writeSeal } from './seals.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'
import type { StepRef } from './wanted.ts'

type WorldRow = {
  readonly trajectory: string
  readonly key: Uint8Array
  readonly resource: Resource
}
type PageRow = { readonly trajectory: string; readonly prefix: string; readonly page: TrieNode }
type Counter = { readonly id: string; readonly used: number; readonly code: string | null }
type RecordRow = RecordRef & {
  readonly version: number
  readonly text: string
  readonly code: string | null
}
/** With the name of the seal of its batch; null where nobody signs. */
type EntryRow = NewEntry & PackedEntry & { readonly seal: string | null }
type NewExecution = ExecutionRow & IntentColumns

export function isEmpty(changes: Changes): boolean {
  return Object.values(changes).every((rows) => ('size' in rows ? rows.size : rows.length) === 0)
}

/** What rows are addressed and vouched for with, and the seal of the batch. */
export type WritingWith = {
  readonly sha256: Sha256
  readonly codes: RowCodes
  readonly seal: SealRow | null
}

/** Sends everything; the caller waits for the promises. */
export function writeChanges(
  changes: Changes,
  tenant: string,
  session: DatabaseSession,
  { sha256, codes, seal }: WritingWith,
): Promise<unknown>[] {
  const sent: Promise<unknown>[] = seal === null ? [] : [writeSeal(seal, tenant, session)]
  const send = <T>(
    statement: NamedStatement,
    columns: readonly Column<T>[],
    rows: readonly T[],
  ) => {
    if (rows.length > 0)
      sent.push(session.run(statement, tenant, ...encodeColumnArrays(columns, rows)))
  }
  const records = [...changes.records.values()]
  const worlds = [...changes.worlds]
  const resources = worlds.flatMap(([trajectory, world]) => {
    return Array.from(world.resources.values(), (resource) => {
      return { trajectory, key: hashResourceKey(resource.kind, resource.id, sha256), resource }
    })
  })
  const pages = worlds.flatMap(([trajectory, world]) => {
    return Array.from(world.pages, ([prefix, page]) => ({ trajectory, prefix, page }))
  })
  const sealed = changes.entries.map((added) => {
    return { ...added, ...packEntry(added.entry), seal: seal?.name ?? null }
  })
  send(INSERT_ENTRIES, ENTRIES, sealed)
  send(PUT_HEADS, HEADS, [...changes.heads.values()])
  send(PUT_FLOWS, FLOWS, [...changes.flows.values()])
  send(CHANGE_FLOWS, MOVED_FLOW, [...changes.movedFlows.values()])
  const claimed = Array.from(changes.executions.values(), (row) => {
    return { ...row, ...toIntentColumns(row, sealed) }
  })
  send(PUT_EXECUTIONS, EXECUTIONS, claimed)
  send(CHANGE_EXECUTIONS, MOVED_EXECUTION, [...changes.movedExecutions.values()])
  send(DROP_EXECUTIONS, STEP, [...changes.droppedExecutions.values()])
  send(PUT_WRITS, WRITS, [...changes.writs.values()])
  const counters = Array.from(changes.counters, ([id, used]) => {
    return { id, used, code: codes.computeCounterCode(id, used) }
  })
  send(PUT_COUNTERS, COUNTERS, counters)
  const kept = records.flatMap(({ body, ...change }) => {
    if (body === null) return []
    const text = JSON.stringify(body)
    return [{ ...change, text, code: codes.recordCode(change, text) }]
  })
  send(PUT_RECORDS, RECORDS, kept)
  const gone = records.filter(({ body }) => body === null)
  send(DROP_RECORDS, RECORD_KEY, gone)
  send(PUT_RESOURCES, RESOURCES, resources)
  send(PUT_PAGES, PAGES, pages)
  for (const erase of ERASE) send(erase, ERASED, [...changes.erased])
  send(ARCHIVE, ARCHIVED, [...changes.archived])
  const restored = changes.restored.map((row) => {
    return { ...row, packed: packText(row.payload, row.kind) }
  })
  send(RESTORE, RESTORED, restored)
  return sent
}

export function writeCheckpoint(
  checkpoint: StoredCheckpoint,
  tenant: string,
  session: DatabaseSession,
): Promise<unknown> {
  return session.run(PUT_CHECKPOINTS, tenant, ...encodeColumnArrays(CHECKPOINTS, [checkpoint]))
}

function toJson(value: unknown): string {
  return value === null ? 'null' : JSON.stringify(value)
}

const ENTRIES: readonly Column<EntryRow>[] = [
  createColumn('trajectory', 'text', ({ entry }) => entry.envelope.trajectory),
  createColumn('seq', 'bigint', ({ entry }) => entry.envelope.seq),
  createColumn('id', 'text', ({ entry }) => entry.id),
  createColumn('parent', 'text', ({ entry }) => entry.envelope.parent),
  createColumn('v', 'bigint', ({ entry }) => entry.envelope.v),
  createColumn('kind', 'text', ({ entry }) => entry.envelope.kind),
  createColumn('at', 'text', ({ entry }) => entry.envelope.at),
  createColumn('dfid', 'text', ({ entry }) => entry.envelope.dfid ?? null),
  createColumn('authority_seq', 'bigint', ({ entry }) => entry.envelope.authority_seq ?? null),
  createColumn('payload_hash', 'text', ({ entry }) => entry.envelope.payload_hash),
  createColumn('payload', 'text', ({ entry, packed }) => (packed === null ? entry.payload : null)),
  createColumn('packed', 'bytea', ({ packed }) => packed),
  createColumn('authority_head', 'bigint', ({ authorityHead }) => authorityHead),
  createColumn('seal', 'text', ({ seal }) => seal),
]
const INSERT_ENTRIES = insertStatement('entries', ENTRIES)

const HEADS: readonly Column<TrajectoryHead>[] = [
  createColumn('trajectory', 'text', (head) => head.trajectory),
  createColumn('seq', 'bigint', (head) => head.seq),
  createColumn('id', 'text', (head) => head.id),
  createColumn('at', 'text', (head) => head.at),
  createColumn('world_root', 'text', (head) => head.world_root),
]
const PUT_HEADS = putStatement('trajectories', ['trajectory'], HEADS)

const FLOW_KEY: readonly Column<FlowRow>[] = [createColumn('dfid', 'text', (flow) => flow.dfid)]
/** What changes in the life of a flow. */
const FLOW_MOVES: readonly Column<FlowRow>[] = [
  createColumn('version', 'bigint', (flow) => flow.version),
  createColumn('state', 'text', (flow) => flow.state),
  createColumn('tags', 'text', (flow) =>
    flow.tags.length === 0 ? '[]' : JSON.stringify(flow.tags),
  ),
  createColumn('rejections', 'bigint', (flow) => flow.rejections),
  createColumn('transient_rejections', 'bigint', (flow) => flow.transient_rejections),
  createColumn('attempts', 'bigint', (flow) => flow.attempts),
  createColumn('snapshot_id', 'text', (flow) => flow.snapshot_id),
  createColumn('snapshot_at', 'text', (flow) => flow.snapshot_at),
  createColumn('updated_at', 'text', (flow) => flow.updated_at),
  createColumn('history', 'text', (flow) => encodeHistory(flow.history)),
]
const FLOWS: readonly Column<FlowRow>[] = [
  ...FLOW_KEY,
  ...FLOW_MOVES,
  createColumn('agent_id', 'text', (flow) => flow.agent_id),
  createColumn('trigger_event', 'text', (flow) => flow.trigger),
  createColumn('parent_dfid', 'text', (flow) => flow.parent_dfid),
  createColumn('root_dfid', 'text', (flow) => flow.root_dfid),
  createColumn('trajectory', 'text', (flow) => flow.trajectory),
  createColumn('steps', 'text', (flow) => flow.steps),
  createColumn('mission_hash', 'text', (flow) => flow.mission_hash),
  createColumn('contract_hash', 'text', (flow) => flow.contract_hash),
  createColumn('contract_seq', 'bigint', (flow) => flow.contract_seq),
  createColumn('writs', 'text', (flow) => JSON.stringify(flow.writs)),
  createColumn('opened_at', 'text', (flow) => flow.opened_at),
  createColumn('expires_at', 'text', (flow) => flow.expires_at),
  createColumn('event', 'text', ({ event }) => (event === null ? null : JSON.stringify(event))),
]
const PUT_FLOWS = putStatement('flows', ['dfid'], FLOWS)
const MOVED_FLOW: readonly Column<FlowRow>[] = [...FLOW_KEY, ...FLOW_MOVES]
const CHANGE_FLOWS = changeStatement('flows', FLOW_KEY, FLOW_MOVES)

const STEP: readonly Column<StepRef>[] = [
  createColumn('dfid', 'text', (step) => step.dfid),
  createColumn('step_id', 'text', (step) => step.step_id),
]
/** What changes in the life of a claim. Its intent never does. */
const EXECUTION_MOVES: readonly Column<ExecutionRow>[] = [
  createColumn('version', 'bigint', (row) => row.version),
  createColumn('status', 'text', (row) => row.status),
  createColumn('dispatched_trajectory', 'text', (row) => row.dispatched.trajectory),
  createColumn('dispatched_seq', 'bigint', (row) => row.dispatched.seq),
  createColumn('dispatched_at', 'text', (row) => row.dispatched_at),
  createColumn('last_sent_at', 'text', (row) => row.last_sent_at),
  createColumn('sends', 'bigint', (row) => row.sends),
  createColumn('probes', 'bigint', (row) => row.probes),
  createColumn('epoch', 'bigint', (row) => row.epoch),
  createColumn('next_at', 'text', (row) => row.next_at),
  createColumn('reason_code', 'text', (row) => row.reason_code),
  createColumn('details', 'text', (row) => toJson(row.details)),
  createColumn('result', 'text', (row) => toJson(row.result)),
  createColumn('receipt', 'text', (row) => toJson(row.receipt)),
  createColumn('settled_at', 'text', (row) => row.settled_at),
]
const EXECUTIONS: readonly Column<NewExecution>[] = [
  ...STEP,
  ...EXECUTION_MOVES,
  createColumn('trajectory', 'text', (row) => row.trajectory),
  createColumn('policy_kind', 'text', (row) => row.policy_kind),
  createColumn('params_fingerprint', 'text', (row) => row.params_fingerprint),
  createColumn('idempotency_key', 'text', (row) => row.idempotency_key),
  createColumn('intent', 'text', (row) => row.intent),
  createColumn('intent_seq', 'bigint', (row) => row.intent_seq),
]
const PUT_EXECUTIONS = putStatement('executions', ['dfid', 'step_id'], EXECUTIONS)
const MOVED_EXECUTION: readonly Column<ExecutionRow>[] = [...STEP, ...EXECUTION_MOVES]
const CHANGE_EXECUTIONS = changeStatement('executions', STEP, EXECUTION_MOVES)
const DROP_EXECUTIONS = dropStatement('executions', STEP)

const WRITS: readonly Column<WritRow>[] = [
  createColumn('id', 'text', ({ writ }) => writ.id),
  createColumn('trajectory', 'text', ({ position }) => position.trajectory),
  createColumn('seq', 'bigint', ({ position }) => position.seq),
  createColumn('writ', 'text', ({ writ }) => toCanonicalText(writ)),
]
const PUT_WRITS = putStatement('writs', ['id'], WRITS)

const COUNTERS: readonly Column<Counter>[] = [
  createColumn('id', 'text', ({ id }) => id),
  createColumn('used', 'bigint', ({ used }) => used),
  createColumn('code', 'text', ({ code }) => code),
]
const PUT_COUNTERS = putStatement('counters', ['id'], COUNTERS)

const RECORD_KEY: readonly Column<RecordRef>[] = [
  createColumn('record', 'text', ({ record }) => record),
  createColumn('grp', 'text', ({ group }) => group),
  createColumn('key', 'text', ({ key }) => key),
]
const RECORDS: readonly Column<RecordRow>[] = [
  ...RECORD_KEY,
  createColumn('version', 'bigint', ({ version }) => version),
  createColumn('body', 'text', ({ text }) => text),
  createColumn('code', 'text', ({ code }) => code),
]
const PUT_RECORDS = putStatement('records', ['record', 'grp', 'key'], RECORDS)
const DROP_RECORDS = dropStatement('records', RECORD_KEY)

const RESOURCES: readonly Column<WorldRow>[] = [
  createColumn('trajectory', 'text', ({ trajectory }) => trajectory),
  createColumn('key', 'bytea', ({ key }) => key),
  createColumn('kind', 'text', ({ resource }) => resource.kind),
  createColumn('id', 'text', ({ resource }) => resource.id),
  createColumn('version', 'bigint', ({ resource }) => resource.version),
  createColumn('retracted', 'boolean', ({ resource }) => resource.retracted),
  createColumn('last_entry', 'text', ({ resource }) => resource.last_entry),
  createColumn('value', 'text', ({ resource }) => toCanonicalText(resource.value)),
]
const PUT_RESOURCES = putStatement('resources', ['trajectory', 'key'], RESOURCES)

const PAGES: readonly Column<PageRow>[] = [
  createColumn('trajectory', 'text', ({ trajectory }) => trajectory),
  createColumn('prefix', 'text', ({ prefix }) => prefix),
  createColumn('page', 'bytea', ({ page }) => encodeTrieNode(page)),
]
const PUT_PAGES = putStatement('world_nodes', ['trajectory', 'prefix'], PAGES)

const CHECKPOINTS: readonly Column<StoredCheckpoint>[] = [
  createColumn('epoch', 'bigint', ({ epoch }) => epoch),
  createColumn('size', 'bigint', ({ size }) => size),
  createColumn('note', 'text', ({ note }) => note),
]
const PUT_CHECKPOINTS = putStatement('checkpoints', ['epoch', 'size'], CHECKPOINTS)
