import {
  encodeTrieNode,
  hashResourceKey,
  type Resource,
  type Sha256,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, StoredCheckpoint, WritRow } from '../../ports/store.ts'
import { encodeHistory } from '../unit/flow-history.ts'
import { toIntentColumns } from '../unit/held-intent.ts'
import { toFlowPart } from '../unit/list-parts.ts'
import { type PackedEntry, packEntry } from '../unit/packed-entry.ts'
import type { RecordChange, UnitPlan } from '../unit/unit-plan.ts'
import { archiveFlow, restorePayloads } from './archive-flow.ts'
import { eraseFlow } from './erase-flow.ts'
import { addOwedPass } from './owed-pass.ts'
import { move, put } from './row-statements.ts'
import { parseLock } from './rows.ts'
import { joinKey, type SqliteState } from './state.ts'
import type { Statements } from './statements.ts'

/** Stores the rows of a unit. Heads, counters and pages are left to `writeState`, once a batch. */
export function writePlan(
  plan: UnitPlan,
  tenant: string,
  sql: Statements,
  state: SqliteState,
  sha256: Sha256,
): void {
  const entries = plan.entries.map(packEntry)
  for (const entry of entries) insertEntry(entry, sql)
  state.addLeaves(plan.entries.length)
  for (const [trajectory, head] of plan.heads) state.heads.change(trajectory, head)
  for (const [id, used] of plan.counters) state.counters.change(id, used)
  for (const flow of plan.flows) putFlow(flow, tenant, sql, state)
  for (const row of plan.executions) putExecution(row, entries, tenant, sql, state)
  for (const { dfid, step_id } of plan.droppedExecutions) {
    sql.run(DROP_EXECUTION, dfid, step_id, tenant)
    state.executions.drop(joinKey(dfid, step_id))
  }
  for (const writ of plan.writs) putWrit(writ, tenant, sql)
  for (const change of plan.records) changeRecord(change, tenant, sql, state)
  for (const [trajectory, { resources, pages }] of plan.worlds) {
    for (const resource of resources.values()) {
      putResource(trajectory, resource, tenant, sql, sha256)
    }
    for (const [prefix, page] of pages) {
      state.pages.change(joinKey(trajectory, prefix), { trajectory, prefix, page })
    }
  }
  for (const dfid of plan.erased) eraseFlow(dfid, tenant, sql, state)
  for (const dfid of plan.archived) archiveFlow(dfid, tenant, sql, state)
  restorePayloads(plan.restored, tenant, sql, state)
  addOwedPass(plan, sql)
}

export function writeState(tenant: string, sql: Statements, state: SqliteState): void {
  for (const [trajectory, head] of state.heads.getChanged()) {
    sql.run(PUT_HEAD, tenant, trajectory, head.seq, head.id, head.at, head.world_root)
  }
  for (const [id, used] of state.counters.getChanged())
    sql.run(PUT_COUNTER, tenant, id, used, state.codes.computeCounterCode(id, used))
  for (const { trajectory, prefix, page } of state.pages.getChanged().values()) {
    sql.run(PUT_PAGE, tenant, trajectory, prefix, encodeTrieNode(page))
  }
}

export function writeCheckpoint(
  { epoch, size, note }: StoredCheckpoint,
  tenant: string,
  sql: Statements,
): void {
  sql.run(PUT_CHECKPOINT, tenant, epoch, size, note)
}

function insertEntry({ entry, packed }: PackedEntry, sql: Statements): void {
  const { id, envelope, payload, leaf } = entry
  const { tenant, trajectory, seq, parent, v, kind, at, dfid, authority_seq } = envelope
  sql.run(
    INSERT_ENTRY,
    tenant,
    leaf,
    trajectory,
    seq,
    id,
    parent,
    v,
    kind,
    at,
    dfid ?? null,
    authority_seq ?? null,
    envelope.payload_hash,
    packed === null ? payload : null,
    packed,
  )
}

/**
 * Nearly always the row is there and only its moving parts moved: the others are not sent, nor what
 * its lists are made by, where it stays in them.
 */
function putFlow(flow: FlowRow, tenant: string, sql: Statements, state: SqliteState): void {
  const moving = [
    flow.version,
    flow.state,
    flow.rejections,
    flow.transient_rejections,
    flow.attempts,
    flow.updated_at,
    encodeHistory(flow.history),
  ]
  const known = state.flows.get(flow.dfid)
  if (known === undefined || FIXED_IN_FLOW.some((name) => known[name] !== flow[name])) {
    const { event } = flow
    const texts = { writs: JSON.stringify(flow.writs), event: event && JSON.stringify(event) }
    const fixed = FIXED_IN_FLOW.map((name) =>
      name === 'writs' || name === 'event' ? texts[name] : flow[name],
    )
    sql.run(PUT_FLOW, ...moving, ...toListColumns(flow), ...fixed, flow.dfid, tenant)
  } else if (isListedAs(known, flow)) {
    sql.run(MOVE_FLOW, ...moving, flow.dfid, tenant)
  } else {
    sql.run(LIST_FLOW, ...moving, ...toListColumns(flow), flow.dfid, tenant)
  }
  state.flows.keep(flow.dfid, flow)
}

function toListColumns({ state, tags }: FlowRow): readonly [string, string] {
  return [toFlowPart(state), JSON.stringify(tags)]
}

function isListedAs(known: FlowRow, flow: FlowRow): boolean {
  return known.tags === flow.tags && toFlowPart(known.state) === toFlowPart(flow.state)
}

function putExecution(
  row: ExecutionRow,
  entries: readonly PackedEntry[],
  tenant: string,
  sql: Statements,
  state: SqliteState,
): void {
  const { dfid, step_id, dispatched } = row
  const key = joinKey(dfid, step_id)
  const moving = [
    row.version,
    row.status,
    dispatched.trajectory,
    dispatched.seq,
    row.dispatched_at,
    row.last_sent_at,
    row.sends,
    row.probes,
    row.epoch,
    row.next_at,
    row.reason_code,
    row.details === null ? 'null' : JSON.stringify(row.details),
    row.result === null ? 'null' : JSON.stringify(row.result),
    row.receipt === null ? 'null' : JSON.stringify(row.receipt),
    row.settled_at,
  ]
  const known = state.executions.get(key)
  if (known != null && known.intent === row.intent && isFixedAs(known, row)) {
    sql.run(MOVE_EXECUTION, ...moving, dfid, step_id, tenant)
  } else {
    const fixed = FIXED_IN_EXECUTION.map((name) => row[name])
    const { intent, intent_seq } = toIntentColumns(row, entries)
    sql.run(PUT_EXECUTION, ...moving, ...fixed, intent, intent_seq, dfid, step_id, tenant)
  }
  state.executions.keep(key, row)
}

function isFixedAs(known: ExecutionRow, row: ExecutionRow): boolean {
  return FIXED_IN_EXECUTION.every((name) => known[name] === row[name])
}

function changeRecord(
  change: RecordChange,
  tenant: string,
  sql: Statements,
  state: SqliteState,
): void {
  const { record, group, key, version, body } = change
  if (body === null) sql.run(DROP_RECORD, tenant, record, group, key)
  else {
    const text = JSON.stringify(body)
    const code = state.codes.recordCode(change, text)
    sql.run(PUT_RECORD, tenant, record, group, key, version, text, code)
  }
  state.dropRecord({ record, group, key })
  if (record === 'lock') {
    state.changeLock(group, key, body === null ? null : parseLock(group, key, version, body))
  }
}

function putWrit({ writ, position }: WritRow, tenant: string, sql: Statements): void {
  sql.run(PUT_WRIT, position.trajectory, position.seq, toCanonicalText(writ), tenant, writ.id)
}

function putResource(
  trajectory: string,
  { kind, id, version, retracted, last_entry, value }: Resource,
  tenant: string,
  sql: Statements,
  sha256: Sha256,
): void {
  const key = hashResourceKey(kind, id, sha256)
  const flag = retracted ? 1 : 0
  const text = toCanonicalText(value)
  sql.run(PUT_RESOURCE, tenant, trajectory, key, kind, id, version, flag, last_entry, text)
}

const INSERT_ENTRY = `INSERT INTO entries (tenant, leaf, trajectory, seq, id, parent, v, kind, at,
  dfid, authority_seq, payload_hash, payload, packed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const PUT_RECORD = `INSERT INTO records (tenant, record, grp, key, version, body, code)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET version = excluded.version, body = excluded.body, code = excluded.code`
const DROP_RECORD = 'DELETE FROM records WHERE tenant = ? AND record = ? AND grp = ? AND key = ?'
const DROP_EXECUTION = 'DELETE FROM executions WHERE dfid = ? AND step_id = ? AND tenant = ?'

const FIXED_IN_FLOW = [
  'agent_id',
  'trigger',
  'parent_dfid',
  'root_dfid',
  'trajectory',
  'steps',
  'snapshot_id',
  'snapshot_at',
  'mission_hash',
  'contract_hash',
  'contract_seq',
  'writs',
  'opened_at',
  'expires_at',
  'event',
] as const
const MOVING_IN_FLOW = [
  'version',
  'state',
  'rejections',
  'transient_rejections',
  'attempts',
  'updated_at',
  'history',
]
const LISTS_OF_FLOW = ['part', 'tags']
const FIXED_IN_EXECUTION = [
  'trajectory',
  'policy_kind',
  'params_fingerprint',
  'idempotency_key',
] as const
const MOVING_IN_EXECUTION = [
  'version',
  'status',
  'dispatched_trajectory',
  'dispatched_seq',
  'dispatched_at',
  'last_sent_at',
  'sends',
  'probes',
  'epoch',
  'next_at',
  'reason_code',
  'details',
  'result',
  'receipt',
  'settled_at',
]

const MOVE_FLOW = move('flows', MOVING_IN_FLOW, ['dfid', 'tenant'])
const LIST_FLOW = move('flows', [...MOVING_IN_FLOW, ...LISTS_OF_FLOW], ['dfid', 'tenant'])
const PUT_FLOW = put(
  'flows',
  [
    ...MOVING_IN_FLOW,
    ...LISTS_OF_FLOW,
    ...FIXED_IN_FLOW.map((name) => (name === 'trigger' ? 'trigger_event' : name)),
  ],
  ['dfid', 'tenant'],
)
const MOVE_EXECUTION = move('executions', MOVING_IN_EXECUTION, ['dfid', 'step_id', 'tenant'])
const PUT_EXECUTION = put(
  'executions',
  [...MOVING_IN_EXECUTION, ...FIXED_IN_EXECUTION, 'intent', 'intent_seq'],
  ['dfid', 'step_id', 'tenant'],
)

const PUT_WRIT = put('writs', ['trajectory', 'seq', 'writ'], ['tenant', 'id'])
const PUT_RESOURCE = `INSERT OR REPLACE INTO resources
  (tenant, trajectory, key, kind, id, version, retracted, last_entry, value)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const PUT_PAGE = 'INSERT OR REPLACE INTO world_nodes VALUES (?, ?, ?, ?)'
const PUT_HEAD = 'INSERT OR REPLACE INTO trajectories VALUES (?, ?, ?, ?, ?, ?)'
const PUT_COUNTER = 'INSERT OR REPLACE INTO counters (tenant, id, used, code) VALUES (?, ?, ?, ?)'
const PUT_CHECKPOINT = 'INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)'
