/** The tables of the seeds, as views: filled through the port, read by their names and columns. */
import { deepEqual, equal } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { AUTHORITY, canonicalText, type EntryKind, type JsonObject, MAIN } from 'rubicon-kernel'
import { begin, commit, executionRow, flowRow } from '../../ports/conformance/fixture.ts'
import type { FlowRow, Store, Write } from '../../ports/store.ts'
import { clockAt, openAt } from './open-at.ts'
import { temporaryPath } from './testing.ts'

const DFID = '550e8400-e29b-41d4-a716-446655440000'
const SECOND = '550e8400-e29b-41d4-a716-446655440001'
const T0 = Date.UTC(2026, 0, 31, 9, 30)
const at = (second: number) => new Date(T0 + second * 1000).toISOString()
const intent = `sha256:${'1'.repeat(64)}`

/** As printed in the framework specification, §4.2. */
const AUDIT_QUERY = `SELECT f.dfid
, f.agent_id
, f.trigger_event
, c.snapshot_id AS context_hash
, p.justification AS agent_reasoning
, p.policy_kind AS proposed_action
, p.confidence
, v.outcome AS validation_result
, v.reason_code AS rejection_reason
, e.idempotency_key
, e.status AS execution_status
FROM decision_flows f
LEFT JOIN context_snapshots c
ON f.dfid = c.dfid
LEFT JOIN policy_proposals p
ON f.dfid = p.dfid
LEFT JOIN dim_validations v
ON f.dfid = v.dfid
LEFT JOIN execution_log e
ON f.dfid = e.dfid
WHERE f.dfid = '550e8400-e29b-41d4-a716-446655440000';`

const proposal = {
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

describe('the views of the seeds', () => {
  let database: DatabaseSync
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))

  before(async () => {
    const path = temporaryPath()
    const clock = clockAt(T0)
    const store = await openAt(path, { clock: clock.now })
    await fill(store, (second) => clock.set(T0 + second * 1000))
    await store.close()
    database = new DatabaseSync(path, { readOnly: true })
    database.exec('PRAGMA trusted_schema = OFF')
  })
  after(() => database.close())

  it('answer the audit query as printed, by index', () => {
    deepEqual(all(AUDIT_QUERY), [
      {
        dfid: DFID,
        agent_id: 'trader',
        trigger_event: 'price moved',
        context_hash: 'snap-1',
        agent_reasoning: 'it "broke" out',
        proposed_action: 'BUY',
        confidence: 0.78,
        validation_result: 'ACCEPTED',
        rejection_reason: null,
        idempotency_key: 'key-buy',
        execution_status: 'SUCCESS',
      },
    ])
    const plan = all(`EXPLAIN QUERY PLAN ${AUDIT_QUERY}`).map(({ detail }) => String(detail))
    deepEqual(
      plan.filter((line) => line.startsWith('SCAN') && !line.includes('VIRTUAL')),
      [],
    )
  })

  it('decision_flows, context_snapshots, context_session', () => {
    deepEqual(
      all(
        'SELECT * FROM decision_flows WHERE dfid < $d ORDER BY dfid'.replace('$d', `'${SECOND}'`),
      ),
      [
        {
          dfid: DFID,
          agent_id: 'trader',
          trigger_event: 'price moved',
          state: 'CLOSED',
          parent_dfid: null,
          created_at: at(10),
          tenant: 'acme',
        },
      ],
    )
    deepEqual(all(`SELECT * FROM context_snapshots WHERE dfid = '${DFID}'`), [
      {
        snapshot_id: 'snap-1',
        dfid: DFID,
        timestamp: at(10),
        data: '{"price":"48000"}',
        source: 'context_store',
        tenant: 'acme',
      },
    ])
    deepEqual(all(`SELECT * FROM context_session WHERE dfid = '${DFID}'`), [
      { dfid: DFID, data: '{"price":"48000"}', updated_at: at(10), tenant: 'acme' },
    ])
  })

  it('policy_proposals and dim_validations: one row a judged proposal, none a resend', () => {
    equal(all(`SELECT * FROM policy_proposals WHERE dfid = '${DFID}'`).length, 1)
    const [row] = all(`SELECT * FROM policy_proposals WHERE dfid = '${DFID}'`)
    deepEqual(row, {
      dfid: DFID,
      agent_id: 'trader',
      policy_kind: 'BUY',
      params: '{"instrument":"BTC-USD"}',
      context_ref: 'snap-1',
      mission_context_hash: null,
      execution_constraints: '{"max_price":"48500"}',
      valid_until: null,
      confidence: 0.78,
      justification: 'it "broke" out',
      explain_ref: null,
      tenant: 'acme',
    })
    const judged = all(`SELECT outcome, gate_reached, reason_code, attempt_number, evaluated_at
      FROM dim_validations ORDER BY dfid, evaluated_at`)
    const line = (outcome: string, gate: number, reason: string | null, n: number, s: number) => {
      const [reason_code, evaluated_at] = [reason, at(s)]
      return { outcome, gate_reached: gate, reason_code, attempt_number: n, evaluated_at }
    }
    deepEqual(judged, [
      line('ACCEPTED', 5, null, 1, 11),
      line('REJECTED', 2, 'KIND_NOT_ALLOWED', 1, 21),
      line('REJECTED', 5, 'JSON_SYNTAX', 2, 22),
      line('ESCALATED', 5, 'APPROVAL_REQUIRED', 3, 23),
    ])
  })

  it('execution_log and idempotency_cache', () => {
    deepEqual(all('SELECT * FROM execution_log ORDER BY dfid, step_id'), [
      log(DFID, 'buy', 'SUCCESS', '"tx-1"', at(13)),
      log(SECOND, 'a', 'SUCCESS', null, at(30)),
      log(SECOND, 'b', 'DIRTY', null, at(31)),
      log(SECOND, 'c', 'DIRTY', null, null),
      log(SECOND, 'd', 'PENDING', null, null),
      log(SECOND, 'e', 'PENDING', null, null),
      log(THIRD, 'a', 'FAILED', null, at(31)),
      log(THIRD, 'b', 'PENDING', null, null),
    ])
    const [cached] = all(`SELECT * FROM idempotency_cache WHERE key = 'key-buy'`)
    const created_at = at(13)
    deepEqual(cached, { key: 'key-buy', result: '{"filled":true}', created_at, tenant: 'acme' })
    equal(all(`SELECT * FROM idempotency_cache WHERE key = 'key-d'`).length, 0)
  })

  it('saga_dirty_state and intent_retry', () => {
    const [dirty, ...others] = all('SELECT * FROM saga_dirty_state')
    equal(others.length, 0)
    deepEqual([dirty?.dfid, dirty?.failed_step, dirty?.tenant], [SECOND, 'c', 'acme'])
    const partial = JSON.parse(String(dirty?.partial_state_json))
    deepEqual(partial[0], { step_id: 'a', status: 'SUCCESS', result: { n: 1 } })
    const retry = all(`SELECT * FROM intent_retry WHERE dfid = '${SECOND}'`)
    const row = { dfid: SECOND, rejection_count: 2, updated_at: at(24), tenant: 'acme' }
    deepEqual(retry, [row])
  })

  it('escalation_requests: pending while the flow is escalated', () => {
    deepEqual(all('SELECT * FROM escalation_requests'), [
      {
        dfid: SECOND,
        agent_id: 'trader',
        reason: 'APPROVAL_REQUIRED',
        context_json: '{"price":"48000"}',
        proposal_json: canonicalText({ ...proposal, dfid: SECOND }),
        impact: 'HIGH_IMPACT',
        status: 'PENDING',
        created_at: at(23),
        resolved_at: null,
        human_decision: null,
        tenant: 'acme',
      },
    ])
  })

  it('flow_transitions in the words of the seed', () => {
    const lines = (dfid: string) =>
      all(`SELECT from_status, to_status FROM flow_transitions
        WHERE dfid = '${dfid}' ORDER BY id`).map(({ from_status, to_status }) => [
        from_status,
        to_status,
      ])
    deepEqual(lines(DFID), [
      [null, 'CREATED'],
      ['CREATED', 'RUNNING'],
      ['RUNNING', 'COMPLETED'],
    ])
    deepEqual(lines(SECOND), [
      [null, 'CREATED'],
      ['CREATED', 'RUNNING'],
      ['RUNNING', 'WAITING_ESCALATION'],
    ])
    deepEqual(lines(THIRD), [
      [null, 'CREATED'],
      ['CREATED', 'FAILED'],
    ])
    const { n, distinct } =
      all('SELECT count(*) AS n, count(DISTINCT id) AS "distinct" FROM flow_transitions')[0] ?? {}
    equal(n, distinct)
  })

  it('decision_audit_events: every entry of a flow', () => {
    const events = all(`SELECT event, timestamp, step_id, state FROM decision_audit_events
      WHERE dfid = '${DFID}' ORDER BY id`)
    deepEqual(events, [
      { event: 'writ', timestamp: at(10), step_id: null, state: 'CREATED' },
      { event: 'dispatch', timestamp: at(11), step_id: 'buy', state: 'DISPATCHED' },
      { event: 'dispatch', timestamp: at(12), step_id: 'buy', state: 'DISPATCHED' },
      { event: 'commit', timestamp: at(13), step_id: 'buy', state: 'SUCCESS' },
    ])
  })

  it('agent_registry: the latest contract and status, no token', () => {
    const rows = all(`SELECT agent_id, priority, status, agent_version, session_token,
      suspension_reason, registered_at, updated_at, tenant FROM agent_registry ORDER BY agent_id`)
    const common = { session_token: null, tenant: 'acme' }
    deepEqual(rows, [
      {
        agent_id: 'clerk',
        priority: 3,
        status: null,
        agent_version: '1.0.0',
        suspension_reason: null,
        registered_at: at(3),
        updated_at: at(3),
        ...common,
      },
      {
        agent_id: 'trader',
        priority: 3,
        status: 'SUSPENDED',
        agent_version: '2.0.0',
        suspension_reason: 'it drifts',
        registered_at: at(1),
        updated_at: at(5),
        ...common,
      },
    ])
    const [{ contract } = {}] = all(`SELECT contract FROM agent_registry WHERE agent_id = 'clerk'`)
    deepEqual(JSON.parse(String(contract)), { agent_id: 'clerk', version: '1.0.0', priority: 3 })
  })
})

const THIRD = '550e8400-e29b-41d4-a716-446655440002'

function log(
  dfid: string,
  step: string,
  status: string,
  receipt: string | null,
  done: string | null,
) {
  return {
    dfid,
    idempotency_key: `key-${step}`,
    step_id: step,
    status,
    external_receipt: receipt,
    executed_at: done,
    tenant: 'acme',
  }
}

async function fill(store: Store, clock: (second: number) => void): Promise<void> {
  await begin(store)
  const authority = async (second: number, entry: 'contract' | 'lifecycle', body: JsonObject) => {
    clock(second)
    const payload = canonicalText({ body, signature: { key_id: 'k', sig: 's' } })
    await commit(store, [{ kind: 'append', trajectory: AUTHORITY, entry, payload }])
  }
  const contract = (agent_id: string, version: string) => {
    return { action: 'deploy', contract: { agent_id, version, priority: 3 } }
  }
  const move = (to: string, justification: string) => ({ agent_id: 'trader', to, justification })
  await authority(1, 'contract', contract('trader', '1.0.0'))
  await authority(2, 'lifecycle', move('ACTIVE', 'welcome'))
  await authority(3, 'contract', contract('clerk', '1.0.0'))
  await authority(4, 'contract', contract('trader', '2.0.0'))
  await authority(5, 'lifecycle', move('SUSPENDED', 'it drifts'))
  await acceptedFlow(store, clock)
  await escalatedFlow(store, clock)
  await executionsOf(store)
}

async function acceptedFlow(store: Store, clock: (second: number) => void): Promise<void> {
  clock(10)
  const opened = flowOf(DFID, { opened_at: at(10) })
  await commit(store, [writ(DFID), { kind: 'put_flow', flow: opened }])
  clock(11)
  const first = { attempt: 1, proposal, send: 1, intent: { step_id: 'buy', intent_id: intent } }
  await commit(store, [entry(DFID, 'dispatch', first)])
  clock(12)
  await commit(store, [entry(DFID, 'dispatch', { intent_id: intent, send: 2, why: 'same_key' })])
  clock(13)
  const execution = executionRow(1, 'buy', {
    dfid: DFID,
    status: 'SUCCESS',
    idempotency_key: 'key-buy',
    intent: canonicalText({ intent_id: intent }),
    result: { filled: true },
    receipt: 'tx-1',
    settled_at: at(13),
  })
  const flow = flowOf(DFID, {
    version: 2,
    state: 'CLOSED',
    opened_at: at(10),
    history: path('CREATED', 'ACTIVE', 'VALIDATING', 'ACCEPTED', 'EXECUTING', 'CLOSED'),
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

async function escalatedFlow(store: Store, clock: (second: number) => void): Promise<void> {
  clock(20)
  await commit(store, [writ(SECOND)])
  clock(21)
  const rejected = { attempt: 1, gate: 2, reason_code: 'KIND_NOT_ALLOWED' }
  await commit(store, [entry(SECOND, 'rejection', { ...rejected, proposal })])
  clock(22)
  const unread = { attempt: 2, gate: null, reason_code: 'JSON_SYNTAX' }
  await commit(store, [entry(SECOND, 'rejection', unread)])
  clock(23)
  const request = { reason_code: 'APPROVAL_REQUIRED', impact: 'HIGH_IMPACT' }
  const pending = { attempt: 3, proposal: { ...proposal, dfid: SECOND }, request }
  const flow = flowOf(SECOND, {
    state: 'ESCALATED',
    tags: ['UNKNOWN', 'DIRTY'],
    rejections: 2,
    updated_at: at(24),
    history: path('CREATED', 'ACTIVE', 'VALIDATING', 'ACTIVE', 'VALIDATING', 'ESCALATED'),
  })
  await commit(store, [entry(SECOND, 'pending_approval', pending), { kind: 'put_flow', flow }])
  const failed = flowOf(THIRD, { state: 'ABORTED', history: path('CREATED', 'ABORTED') })
  await commit(store, [{ kind: 'put_flow', flow: failed }])
}

async function executionsOf(store: Store): Promise<void> {
  const put = (dfid: string, step: string, change: Parameters<typeof executionRow>[2]): Write => {
    const key = `key-${step}`
    const execution = executionRow(1, step, { dfid, idempotency_key: key, ...change })
    return { kind: 'put_execution', execution }
  }
  const [later, review] = [{ dispatched_at: at(40) }, { status: 'MANUAL_REVIEW' } as const]
  await commit(store, [
    put(SECOND, 'a', { status: 'SUCCESS', result: { n: 1 }, settled_at: at(30) }),
    put(SECOND, 'b', { status: 'NOT_APPLIED', settled_at: at(31) }),
    put(SECOND, 'c', { ...review, ...later, reason_code: 'POSTCONDITION_FAILED' }),
    put(SECOND, 'd', { status: 'DISPATCHED' }),
    put(SECOND, 'e', { ...review, reason_code: 'MANUAL_REVIEW_REQUIRED' }),
    put(THIRD, 'a', { status: 'ABANDONED', settled_at: at(31) }),
    put(THIRD, 'b', { ...review, reason_code: 'DELTA_CONFLICT' }),
  ])
}

function flowOf(dfid: string, change: Partial<FlowRow>): FlowRow {
  return flowRow(1, { dfid, root_dfid: dfid, trigger: 'price moved', ...change })
}

function path(...states: FlowRow['state'][]): FlowRow['history'] {
  return states.map((to, i) => ({ from: states[i - 1] ?? null, to, at: at(i) }))
}

function writ(dfid: string): Write {
  return entry(dfid, 'writ', {
    flow: { dfid, snapshot_id: 'snap-1', snapshot: { price: '48000' } },
  })
}

function entry(
  dfid: string,
  kind: Exclude<EntryKind, 'commit' | 'branch'>,
  payload: JsonObject,
): Write {
  const text = canonicalText(payload)
  return { kind: 'append', trajectory: MAIN, entry: kind, dfid, payload: text }
}
