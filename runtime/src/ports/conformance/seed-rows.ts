/** What fills every view of the storage seed and of the audit query, through the port. */
import {
  AUTHORITY,
  type EntryKind,
  type JsonObject,
  type JsonValue,
  MAIN,
  toCanonicalText,
} from 'rubicon-kernel'
import { lockHolder } from '../record.ts'
import type { FlowRow, Store, Write } from '../store.ts'
import { begin, buildExecutionRow, buildFlowRow, commit } from './fixture.ts'

export const DFID = '550e8400-e29b-41d4-a716-446655440000'
export const SECOND = '550e8400-e29b-41d4-a716-446655440001'
export const T0: number = Date.UTC(2026, 0, 31, 9, 30)
export const toInstant = (second: number): string => new Date(T0 + second * 1000).toISOString()
type FlowEntryKind = Exclude<EntryKind, 'commit' | 'branch'>
const intent: string = `sha256:${'1'.repeat(64)}`

export const THIRD = '550e8400-e29b-41d4-a716-446655440002'
/** Has no row of its own, and an entry of every sort that a flow may have. */
export const FOURTH = '550e8400-e29b-41d4-a716-446655440003'

/** With the state that an auditor is told. */
export const ENTRIES_OF_FOURTH: readonly (readonly [FlowEntryKind, JsonObject, string])[] = [
  ['writ', { flow: { dfid: FOURTH, snapshot_id: 'snap-4', snapshot: {} } }, 'CREATED'],
  ['delegation', { child_dfid: SECOND, opened_by: { kind: 'session' } }, 'DELEGATED'],
  ['delegation', { child_dfid: SECOND, returned: {} }, 'RETURNED'],
  ['evidence', { source: 'context', finding: 'refreshed', snapshot_id: 's' }, 'REFRESHED'],
  ['evidence', { source: 'agent', used: { tokens: '10' } }, 'REPORTED'],
  ['pending_approval', { request: { id: 'r', step_id: 'a' } }, 'ESCALATED'],
  ['approval', { body: { request_id: 'r', decision: 'OVERRIDE' } }, 'OVERRIDE'],
  ['accepted', { intent: { step_id: 'a', intent_id: 'i' } }, 'ACCEPTED'],
  ['dispatch', { intent_id: 'i', accepted: {}, send: 1 }, 'DISPATCHED'],
  ['settle', { intent_id: 'i', status: 'UNKNOWN' }, 'UNKNOWN'],
  ['evidence', { intent_id: 'i', source: 'probe', finding: 'absent' }, 'ABSENT'],
  ['evidence', { source: 'saga', status: 'COMPENSATING' }, 'COMPENSATING'],
  ['rejection', { reason_code: 'X' }, 'REJECTED'],
]

export const proposal: JsonObject = {
  dfid: DFID,
  agent_id: 'trader',
  step_id: 'buy',
  policy_kind: 'BUY',
  params: { instrument: 'BTC-USD' },
  context_ref: 'snap-1',
  execution_constraints: { max_price: '48500' },
  confidence: '0.78',
  justification: 'it "broke" out',
}

/** `clock` sets the seconds after T0. */
export async function fillSeeds(store: Store, clock: (second: number) => void): Promise<void> {
  await begin(store)
  const appendAuthority = async (
    second: number,
    entry: 'contract' | 'lifecycle',
    body: JsonObject,
  ) => {
    clock(second)
    const payload = toCanonicalText({ body, signature: { key_id: 'k', sig: 's' } })
    await commit(store, [{ kind: 'append', trajectory: AUTHORITY, entry, payload }])
  }
  const buildDeployment = (agent_id: string, version: string) => {
    return { action: 'deploy', contract: { agent_id, version, priority: 3 } }
  }
  const move = (to: string, justification: string) => ({ agent_id: 'trader', to, justification })
  await appendAuthority(1, 'contract', buildDeployment('trader', '1.0.0'))
  await appendAuthority(2, 'lifecycle', move('ACTIVE', 'welcome'))
  await appendAuthority(3, 'contract', buildDeployment('clerk', '1.0.0'))
  await appendAuthority(4, 'contract', buildDeployment('trader', '2.0.0'))
  await appendAuthority(5, 'lifecycle', move('SUSPENDED', 'it drifts'))
  await writeAcceptedFlow(store, clock)
  await writeEscalatedFlow(store, clock)
  await commit(
    store,
    ENTRIES_OF_FOURTH.map(([kind, payload]) => buildEntry(FOURTH, kind, payload)),
  )
  await writeExecutions(store)
  await writeRecords(store)
}

async function writeAcceptedFlow(store: Store, clock: (second: number) => void): Promise<void> {
  clock(10)
  const opened = buildFlow(DFID, { opened_at: toInstant(10), snapshot_at: toInstant(10) })
  await commit(store, [buildWritEntry(DFID), { kind: 'put_flow', flow: opened }])
  clock(11)
  const first = { attempt: 1, proposal, send: 1, intent: { step_id: 'buy', intent_id: intent } }
  await commit(store, [buildEntry(DFID, 'dispatch', first)])
  clock(12)
  await commit(store, [
    buildEntry(DFID, 'resend', { body: { intent_id: intent, send: 2, why: 'same_key' } }),
  ])
  clock(13)
  const execution = buildExecutionRow(1, 'buy', {
    dfid: DFID,
    status: 'SUCCESS',
    idempotency_key: 'key-buy',
    intent: toCanonicalText({ intent_id: intent }),
    result: { filled: true },
    receipt: 'tx-1',
    settled_at: toInstant(13),
  })
  const flow = buildFlow(DFID, {
    version: 2,
    state: 'CLOSED',
    opened_at: toInstant(10),
    snapshot_at: toInstant(10),
    history: buildHistory('CREATED', 'ACTIVE', 'VALIDATING', 'ACCEPTED', 'EXECUTING', 'CLOSED'),
  })
  await commit(store, [
    {
      kind: 'append_commit',
      trajectory: MAIN,
      dfid: DFID,
      delta: [],
      payload: { intent_id: intent } as never,
    },
    { kind: 'put_execution', execution },
    { kind: 'put_flow', flow },
  ])
}

async function writeEscalatedFlow(store: Store, clock: (second: number) => void): Promise<void> {
  clock(20)
  await commit(store, [buildWritEntry(SECOND)])
  clock(21)
  const rejected = { attempt: 1, gate: 2, reason_code: 'KIND_NOT_ALLOWED' }
  await commit(store, [buildEntry(SECOND, 'rejection', { ...rejected, proposal })])
  clock(22)
  const unread = { attempt: 2, gate: null, reason_code: 'JSON_SYNTAX' }
  await commit(store, [buildEntry(SECOND, 'rejection', unread)])
  clock(23)
  const request = {
    id: `${SECOND}:3`,
    reason_code: 'APPROVAL_REQUIRED',
    impact: 'HIGH_IMPACT',
    shown_snapshot: 'snap-1',
  }
  const pending = { attempt: 3, proposal: { ...proposal, dfid: SECOND }, request }
  const flow = buildFlow(SECOND, {
    state: 'ESCALATED',
    tags: ['UNKNOWN', 'DIRTY'],
    rejections: 2,
    updated_at: toInstant(24),
    history: buildHistory('CREATED', 'ACTIVE', 'VALIDATING', 'ACTIVE', 'VALIDATING', 'ESCALATED'),
  })
  await commit(store, [buildEntry(SECOND, 'pending_approval', pending), { kind: 'put_flow', flow }])
  const failed = buildFlow(THIRD, { state: 'ABORTED', history: buildHistory('CREATED', 'ABORTED') })
  await commit(store, [{ kind: 'put_flow', flow: failed }])
}

async function writeExecutions(store: Store): Promise<void> {
  const put = (
    dfid: string,
    step: string,
    change: Parameters<typeof buildExecutionRow>[2],
  ): Write => {
    const key = `key-${step}`
    const execution = buildExecutionRow(1, step, { dfid, idempotency_key: key, ...change })
    return { kind: 'put_execution', execution }
  }
  const [later, review] = [{ dispatched_at: toInstant(40) }, { status: 'MANUAL_REVIEW' } as const]
  await commit(store, [
    put(SECOND, 'a', { status: 'SUCCESS', result: { n: 1 }, settled_at: toInstant(30) }),
    put(SECOND, 'b', { status: 'NOT_APPLIED', settled_at: toInstant(31) }),
    put(SECOND, 'c', { ...review, ...later, reason_code: 'POSTCONDITION_FAILED' }),
    put(SECOND, 'd', { status: 'DISPATCHED' }),
    put(SECOND, 'e', { ...review, reason_code: 'MANUAL_REVIEW_REQUIRED' }),
    put(THIRD, 'a', { status: 'ABANDONED', settled_at: toInstant(31) }),
    put(THIRD, 'b', { ...review, reason_code: 'DELTA_CONFLICT' }),
  ])
}

async function writeRecords(store: Store): Promise<void> {
  const buildStateWrite = (key: string, value: JsonValue, second: number): Write => {
    const body = { value, updated_at: toInstant(second) }
    return { kind: 'put_record', record: 'agent_state', group: 'agents', key, body }
  }
  const lock = (dfid: string, step_id: string, resource: string, amount: string, second: number) =>
    ({
      kind: 'put_record',
      record: 'lock',
      group: resource,
      key: lockHolder(dfid, step_id),
      body: {
        dfid,
        step_id,
        agent_id: 'trader',
        amount,
        capacity: '100',
        taken_at: toInstant(second),
        expires_at: null,
        quarantined: false,
      },
    }) as const
  await commit(store, [
    buildStateWrite('trader', {}, 39),
    buildStateWrite('clerk', null, 40),
    lock(THIRD, 'a', 'account/1', '5', 49),
    lock(DFID, 'buy', 'account/1', '10', 50),
    lock(SECOND, 'a', 'account/1', '30', 50),
    lock(DFID, 'buy', 'account/2', '1', 51),
  ])
  await commit(store, [
    buildStateWrite('trader', { average: '12.50', seen: ['ü'] }, 41),
    lock(DFID, 'sell', 'account/1', '2.5', 60),
    { kind: 'drop_record', record: 'lock', group: 'account/1', key: lockHolder(THIRD, 'a') },
  ])
}

function buildFlow(dfid: string, change: Partial<FlowRow>): FlowRow {
  return buildFlowRow(1, { dfid, root_dfid: dfid, trigger: 'price moved', ...change })
}

function buildHistory(...states: FlowRow['state'][]): FlowRow['history'] {
  return states.map((to, i) => ({ from: states[i - 1] ?? null, to, at: toInstant(i) }))
}

function buildWritEntry(dfid: string): Write {
  return buildEntry(dfid, 'writ', {
    flow: { dfid, snapshot_id: 'snap-1', snapshot: { price: '48000' } },
  })
}

function buildEntry(dfid: string, kind: FlowEntryKind, payload: JsonObject): Write {
  const text = toCanonicalText(payload)
  return { kind: 'append', trajectory: MAIN, entry: kind, dfid, payload: text }
}
