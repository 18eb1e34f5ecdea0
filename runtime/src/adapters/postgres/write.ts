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
import { ERASED_INTENT } from '../unit/erased-rows.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import {
  arraysOf,
  type Column,
  changeStatement,
  column,
  dropStatement,
  insertStatement,
  putStatement,
} from './bulk.ts'
import type { Changes, NewEntry } from './changes.ts'
import { type SealRow, writeSeal } from './seals.ts'
import type { Session, Statement } from './session.ts'
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
type EntryRow = NewEntry & { readonly seal: string | null }

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
  session: Session,
  { sha256, codes, seal }: WritingWith,
): Promise<unknown>[] {
  const sent: Promise<unknown>[] = seal === null ? [] : [writeSeal(seal, tenant, session)]
  const send = <T>(statement: Statement, columns: readonly Column<T>[], rows: readonly T[]) => {
    if (rows.length > 0) sent.push(session.run(statement, tenant, ...arraysOf(columns, rows)))
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
  const sealed = changes.entries.map((entry) => ({ ...entry, seal: seal?.name ?? null }))
  send(INSERT_ENTRIES, ENTRIES, sealed)
  send(PUT_HEADS, HEADS, [...changes.heads.values()])
  send(PUT_FLOWS, FLOWS, [...changes.flows.values()])
  send(CHANGE_FLOWS, MOVED_FLOW, [...changes.movedFlows.values()])
  send(PUT_EXECUTIONS, EXECUTIONS, [...changes.executions.values()])
  send(CHANGE_EXECUTIONS, MOVED_EXECUTION, [...changes.movedExecutions.values()])
  send(DROP_EXECUTIONS, STEP, [...changes.droppedExecutions.values()])
  send(PUT_WRITS, WRITS, [...changes.writs.values()])
  const counters = Array.from(changes.counters, ([id, used]) => {
    return { id, used, code: codes.counterCode(id, used) }
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
  return sent
}

export function writeCheckpoint(
  checkpoint: StoredCheckpoint,
  tenant: string,
  session: Session,
): Promise<unknown> {
  return session.run(PUT_CHECKPOINTS, tenant, ...arraysOf(CHECKPOINTS, [checkpoint]))
}

function json(value: unknown): string {
  return value === null ? 'null' : JSON.stringify(value)
}

const ENTRIES: readonly Column<EntryRow>[] = [
  column('trajectory', 'text', ({ entry }) => entry.envelope.trajectory),
  column('seq', 'bigint', ({ entry }) => entry.envelope.seq),
  column('id', 'text', ({ entry }) => entry.id),
  column('parent', 'text', ({ entry }) => entry.envelope.parent),
  column('v', 'bigint', ({ entry }) => entry.envelope.v),
  column('kind', 'text', ({ entry }) => entry.envelope.kind),
  column('at', 'text', ({ entry }) => entry.envelope.at),
  column('dfid', 'text', ({ entry }) => entry.envelope.dfid ?? null),
  column('authority_seq', 'bigint', ({ entry }) => entry.envelope.authority_seq ?? null),
  column('payload_hash', 'text', ({ entry }) => entry.envelope.payload_hash),
  column('payload', 'text', ({ entry }) => entry.payload),
  column('authority_head', 'bigint', ({ authorityHead }) => authorityHead),
  column('seal', 'text', ({ seal }) => seal),
]
const INSERT_ENTRIES = insertStatement('entries', ENTRIES)

const HEADS: readonly Column<TrajectoryHead>[] = [
  column('trajectory', 'text', (head) => head.trajectory),
  column('seq', 'bigint', (head) => head.seq),
  column('id', 'text', (head) => head.id),
  column('at', 'text', (head) => head.at),
  column('world_root', 'text', (head) => head.world_root),
]
const PUT_HEADS = putStatement('trajectories', ['trajectory'], HEADS)

const FLOW_KEY: readonly Column<FlowRow>[] = [column('dfid', 'text', (flow) => flow.dfid)]
/** What changes in the life of a flow. */
const FLOW_MOVES: readonly Column<FlowRow>[] = [
  column('version', 'bigint', (flow) => flow.version),
  column('state', 'text', (flow) => flow.state),
  column('tags', 'text', (flow) => (flow.tags.length === 0 ? '[]' : JSON.stringify(flow.tags))),
  column('rejections', 'bigint', (flow) => flow.rejections),
  column('transient_rejections', 'bigint', (flow) => flow.transient_rejections),
  column('attempts', 'bigint', (flow) => flow.attempts),
  column('snapshot_id', 'text', (flow) => flow.snapshot_id),
  column('snapshot_at', 'text', (flow) => flow.snapshot_at),
  column('updated_at', 'text', (flow) => flow.updated_at),
  column('history', 'text', (flow) => JSON.stringify(flow.history)),
]
const FLOWS: readonly Column<FlowRow>[] = [
  ...FLOW_KEY,
  ...FLOW_MOVES,
  column('agent_id', 'text', (flow) => flow.agent_id),
  column('trigger_event', 'text', (flow) => flow.trigger),
  column('parent_dfid', 'text', (flow) => flow.parent_dfid),
  column('root_dfid', 'text', (flow) => flow.root_dfid),
  column('trajectory', 'text', (flow) => flow.trajectory),
  column('steps', 'text', (flow) => flow.steps),
  column('mission_hash', 'text', (flow) => flow.mission_hash),
  column('contract_hash', 'text', (flow) => flow.contract_hash),
  column('contract_seq', 'bigint', (flow) => flow.contract_seq),
  column('writs', 'text', (flow) => JSON.stringify(flow.writs)),
  column('opened_at', 'text', (flow) => flow.opened_at),
  column('expires_at', 'text', (flow) => flow.expires_at),
]
const PUT_FLOWS = putStatement('flows', ['dfid'], FLOWS)
const MOVED_FLOW: readonly Column<FlowRow>[] = [...FLOW_KEY, ...FLOW_MOVES]
const CHANGE_FLOWS = changeStatement('flows', FLOW_KEY, FLOW_MOVES)

const STEP: readonly Column<StepRef>[] = [
  column('dfid', 'text', (step) => step.dfid),
  column('step_id', 'text', (step) => step.step_id),
]
/** What changes in the life of a claim. Its intent never does. */
const EXECUTION_MOVES: readonly Column<ExecutionRow>[] = [
  column('version', 'bigint', (row) => row.version),
  column('status', 'text', (row) => row.status),
  column('dispatched_trajectory', 'text', (row) => row.dispatched.trajectory),
  column('dispatched_seq', 'bigint', (row) => row.dispatched.seq),
  column('dispatched_at', 'text', (row) => row.dispatched_at),
  column('last_sent_at', 'text', (row) => row.last_sent_at),
  column('sends', 'bigint', (row) => row.sends),
  column('probes', 'bigint', (row) => row.probes),
  column('epoch', 'bigint', (row) => row.epoch),
  column('next_at', 'text', (row) => row.next_at),
  column('reason_code', 'text', (row) => row.reason_code),
  column('details', 'text', (row) => json(row.details)),
  column('result', 'text', (row) => json(row.result)),
  column('receipt', 'text', (row) => json(row.receipt)),
  column('settled_at', 'text', (row) => row.settled_at),
]
const EXECUTIONS: readonly Column<ExecutionRow>[] = [
  ...STEP,
  ...EXECUTION_MOVES,
  column('trajectory', 'text', (row) => row.trajectory),
  column('policy_kind', 'text', (row) => row.policy_kind),
  column('params_fingerprint', 'text', (row) => row.params_fingerprint),
  column('idempotency_key', 'text', (row) => row.idempotency_key),
  column('intent', 'text', (row) => row.intent),
]
const PUT_EXECUTIONS = putStatement('executions', ['dfid', 'step_id'], EXECUTIONS)
const MOVED_EXECUTION: readonly Column<ExecutionRow>[] = [...STEP, ...EXECUTION_MOVES]
const CHANGE_EXECUTIONS = changeStatement('executions', STEP, EXECUTION_MOVES)
const DROP_EXECUTIONS = dropStatement('executions', STEP)

const WRITS: readonly Column<WritRow>[] = [
  column('id', 'text', ({ writ }) => writ.id),
  column('trajectory', 'text', ({ position }) => position.trajectory),
  column('seq', 'bigint', ({ position }) => position.seq),
  column('writ', 'text', ({ writ }) => toCanonicalText(writ)),
]
const PUT_WRITS = putStatement('writs', ['id'], WRITS)

const COUNTERS: readonly Column<Counter>[] = [
  column('id', 'text', ({ id }) => id),
  column('used', 'bigint', ({ used }) => used),
  column('code', 'text', ({ code }) => code),
]
const PUT_COUNTERS = putStatement('counters', ['id'], COUNTERS)

const RECORD_KEY: readonly Column<RecordRef>[] = [
  column('record', 'text', ({ record }) => record),
  column('grp', 'text', ({ group }) => group),
  column('key', 'text', ({ key }) => key),
]
const RECORDS: readonly Column<RecordRow>[] = [
  ...RECORD_KEY,
  column('version', 'bigint', ({ version }) => version),
  column('body', 'text', ({ text }) => text),
  column('code', 'text', ({ code }) => code),
]
const PUT_RECORDS = putStatement('records', ['record', 'grp', 'key'], RECORDS)
const DROP_RECORDS = dropStatement('records', RECORD_KEY)

const RESOURCES: readonly Column<WorldRow>[] = [
  column('trajectory', 'text', ({ trajectory }) => trajectory),
  column('key', 'bytea', ({ key }) => key),
  column('kind', 'text', ({ resource }) => resource.kind),
  column('id', 'text', ({ resource }) => resource.id),
  column('version', 'bigint', ({ resource }) => resource.version),
  column('retracted', 'boolean', ({ resource }) => resource.retracted),
  column('last_entry', 'text', ({ resource }) => resource.last_entry),
  column('value', 'text', ({ resource }) => toCanonicalText(resource.value)),
]
const PUT_RESOURCES = putStatement('resources', ['trajectory', 'key'], RESOURCES)

const PAGES: readonly Column<PageRow>[] = [
  column('trajectory', 'text', ({ trajectory }) => trajectory),
  column('prefix', 'text', ({ prefix }) => prefix),
  column('page', 'bytea', ({ page }) => encodeTrieNode(page)),
]
const PUT_PAGES = putStatement('world_nodes', ['trajectory', 'prefix'], PAGES)

const ERASED: readonly Column<string>[] = [column('dfid', 'text', (dfid) => dfid)]
const ERASE: readonly Statement[] = [
  {
    name: 'erase_entries',
    text: `UPDATE entries SET payload = NULL WHERE tenant = $1 AND dfid = ANY($2::text[])
      AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ('root', 'branch')`,
  },
  {
    name: 'erase_flows',
    text: "UPDATE flows SET trigger_event = '' WHERE tenant = $1 AND dfid = ANY($2::text[])",
  },
  {
    name: 'erase_executions',
    text: `UPDATE executions SET intent = '${ERASED_INTENT}', params_fingerprint = '',
      idempotency_key = '', details = 'null', result = 'null', receipt = 'null'
      WHERE tenant = $1 AND dfid = ANY($2::text[])`,
  },
]

const CHECKPOINTS: readonly Column<StoredCheckpoint>[] = [
  column('epoch', 'bigint', ({ epoch }) => epoch),
  column('size', 'bigint', ({ size }) => size),
  column('note', 'text', ({ note }) => note),
]
const PUT_CHECKPOINTS = putStatement('checkpoints', ['epoch', 'size'], CHECKPOINTS)
