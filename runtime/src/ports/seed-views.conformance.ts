/** The tables of the seeds, as views: filled through the port, read by their names and columns. */
import { deepEqual, equal } from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { toCanonicalText } from 'rubicon-kernel'
import { AUDIT_QUERY } from './audit-query.ts'
import {
  DFID,
  ENTRIES_OF_FOURTH,
  FOURTH,
  proposal,
  SECOND,
  THIRD,
  toInstant,
} from './conformance/seed-rows.ts'

/** Runs a query on a database that `fillSeeds` has filled. */
export type RunQuery = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** What an auditor asks of one flow, view by view. */
export const FLOW_QUERIES: readonly string[] = [
  'context_session',
  'context_snapshots',
  'decision_audit_events',
  'decision_flows',
  'dim_validations',
  'escalation_requests',
  'execution_log',
  'flow_transitions',
  'intent_retry',
  'policy_proposals',
  'saga_dirty_state',
].map((view) => `SELECT * FROM ${view} WHERE dfid = '${DFID}'`)

export function registerSeedViewTests(name: string, prepare: () => Promise<RunQuery>): void {
  describe(`the views of the seeds: ${name}`, () => {
    let all: RunQuery
    before(async () => {
      all = await prepare()
    })

    it('answer the audit query as printed', async () => {
      deepEqual(await all(AUDIT_QUERY), [
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
    })

    it('decision_flows, context_snapshots, context_session', async () => {
      deepEqual(
        await all(
          'SELECT * FROM decision_flows WHERE dfid < $d ORDER BY dfid'.replace('$d', `'${SECOND}'`),
        ),
        [
          {
            dfid: DFID,
            agent_id: 'trader',
            trigger_event: 'price moved',
            state: 'CLOSED',
            parent_dfid: null,
            created_at: toInstant(10),
            tenant: 'acme',
          },
        ],
      )
      deepEqual(await all(`SELECT * FROM context_snapshots WHERE dfid = '${DFID}'`), [
        {
          snapshot_id: 'snap-1',
          dfid: DFID,
          timestamp: toInstant(10),
          data: '{"price":"48000"}',
          source: 'context_store',
          tenant: 'acme',
        },
      ])
      deepEqual(await all(`SELECT * FROM context_session WHERE dfid = '${DFID}'`), [
        { dfid: DFID, data: '{"price":"48000"}', updated_at: toInstant(10), tenant: 'acme' },
      ])
    })

    it('policy_proposals and dim_validations: one row a judged proposal, none a resend', async () => {
      const [row, ...more] = await all(`SELECT * FROM policy_proposals WHERE dfid = '${DFID}'`)
      equal(more.length, 0)
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
      const judged =
        await all(`SELECT outcome, gate_reached, reason_code, attempt_number, evaluated_at
      FROM dim_validations WHERE dfid <> '${FOURTH}' ORDER BY dfid, evaluated_at`)
      const buildLine = (
        outcome: string,
        gate: number,
        reason: string | null,
        n: number,
        s: number,
      ) => {
        const [reason_code, evaluated_at] = [reason, toInstant(s)]
        return { outcome, gate_reached: gate, reason_code, attempt_number: n, evaluated_at }
      }
      deepEqual(judged, [
        buildLine('ACCEPTED', 5, null, 1, 11),
        buildLine('REJECTED', 2, 'KIND_NOT_ALLOWED', 1, 21),
        buildLine('REJECTED', 5, 'JSON_SYNTAX', 2, 22),
        buildLine('ESCALATED', 5, 'APPROVAL_REQUIRED', 3, 23),
      ])
    })

    it('execution_log and idempotency_cache', async () => {
      deepEqual(await all('SELECT * FROM execution_log ORDER BY dfid, step_id'), [
        log(DFID, 'buy', 'SUCCESS', '"tx-1"', toInstant(13)),
        log(SECOND, 'a', 'SUCCESS', null, toInstant(30)),
        log(SECOND, 'b', 'DIRTY', null, toInstant(31)),
        log(SECOND, 'c', 'DIRTY', null, null),
        log(SECOND, 'd', 'PENDING', null, null),
        log(SECOND, 'e', 'PENDING', null, null),
        log(THIRD, 'a', 'FAILED', null, toInstant(31)),
        log(THIRD, 'b', 'PENDING', null, null),
      ])
      const [cached] = await all(`SELECT * FROM idempotency_cache WHERE key = 'key-buy'`)
      const created_at = toInstant(13)
      deepEqual(cached, { key: 'key-buy', result: '{"filled":true}', created_at, tenant: 'acme' })
      deepEqual(await all(`SELECT * FROM idempotency_cache WHERE key = 'key-d'`), [])
    })

    it('saga_dirty_state and intent_retry', async () => {
      const [dirty, ...others] = await all('SELECT * FROM saga_dirty_state')
      equal(others.length, 0)
      deepEqual([dirty?.dfid, dirty?.failed_step, dirty?.tenant], [SECOND, 'c', 'acme'])
      const partial = JSON.parse(String(dirty?.partial_state_json))
      deepEqual(partial[0], { step_id: 'a', status: 'SUCCESS', result: { n: 1 } })
      const retry = await all(`SELECT * FROM intent_retry WHERE dfid = '${SECOND}'`)
      const row = { dfid: SECOND, rejection_count: 2, updated_at: toInstant(24), tenant: 'acme' }
      deepEqual(retry, [row])
    })

    it('escalation_requests: pending while the flow is escalated', async () => {
      deepEqual(await all('SELECT * FROM escalation_requests'), [
        {
          dfid: SECOND,
          agent_id: 'trader',
          reason: 'APPROVAL_REQUIRED',
          context_json: '{"price":"48000"}',
          proposal_json: toCanonicalText({ ...proposal, dfid: SECOND }),
          impact: 'HIGH_IMPACT',
          status: 'PENDING',
          created_at: toInstant(23),
          resolved_at: null,
          human_decision: null,
          tenant: 'acme',
        },
      ])
    })

    it('flow_transitions in the words of the seed', async () => {
      const readTransitions = async (dfid: string) => {
        const rows = await all(`SELECT from_status, to_status FROM flow_transitions
        WHERE dfid = '${dfid}' ORDER BY id`)
        return rows.map(({ from_status, to_status }) => [from_status, to_status])
      }
      deepEqual(await readTransitions(DFID), [
        [null, 'CREATED'],
        ['CREATED', 'RUNNING'],
        ['RUNNING', 'COMPLETED'],
      ])
      deepEqual(await readTransitions(SECOND), [
        [null, 'CREATED'],
        ['CREATED', 'RUNNING'],
        ['RUNNING', 'WAITING_ESCALATION'],
      ])
      deepEqual(await readTransitions(THIRD), [
        [null, 'CREATED'],
        ['CREATED', 'FAILED'],
      ])
      const counted = 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM flow_transitions'
      const [{ n, ids } = {}] = await all(counted)
      equal(n, ids)
    })

    it('decision_audit_events: every entry of a flow', async () => {
      const events = await all(`SELECT event, timestamp, step_id, state FROM decision_audit_events
      WHERE dfid = '${DFID}' ORDER BY id`)
      deepEqual(events, [
        { event: 'writ', timestamp: toInstant(10), step_id: null, state: 'CREATED' },
        { event: 'dispatch', timestamp: toInstant(11), step_id: 'buy', state: 'DISPATCHED' },
        { event: 'resend', timestamp: toInstant(12), step_id: 'buy', state: 'DISPATCHED' },
        { event: 'commit', timestamp: toInstant(13), step_id: 'buy', state: 'SUCCESS' },
      ])
    })

    it('decision_audit_events: a state for every kind of entry, and the step where there is one', async () => {
      const events = await all(`SELECT event, state, step_id FROM decision_audit_events
      WHERE dfid = '${FOURTH}' ORDER BY id`)
      deepEqual(
        events.map(({ event, state }) => [event, state]),
        ENTRIES_OF_FOURTH.map(([kind, , state]) => [kind, state]),
      )
      const stepped = events.filter(({ step_id }) => step_id === 'a').map(({ event }) => event)
      deepEqual(stepped, ['pending_approval', 'approval', 'accepted'])
    })

    it('agent_registry: the latest contract and status, no token', async () => {
      const rows = await all(`SELECT agent_id, priority, status, agent_version, session_token,
      suspension_reason, registered_at, updated_at, tenant FROM agent_registry ORDER BY agent_id`)
      const common = { session_token: null, tenant: 'acme' }
      deepEqual(rows, [
        {
          agent_id: 'clerk',
          priority: 3,
          status: null,
          agent_version: '1.0.0',
          suspension_reason: null,
          registered_at: toInstant(3),
          updated_at: toInstant(3),
          ...common,
        },
        {
          agent_id: 'trader',
          priority: 3,
          status: 'SUSPENDED',
          agent_version: '2.0.0',
          suspension_reason: 'it drifts',
          registered_at: toInstant(1),
          updated_at: toInstant(5),
          ...common,
        },
      ])
      const one = "SELECT contract FROM agent_registry WHERE agent_id = 'clerk'"
      const [{ contract } = {}] = await all(one)
      deepEqual(JSON.parse(String(contract)), { agent_id: 'clerk', version: '1.0.0', priority: 3 })
    })

    it('context_state: what an agent keeps, with its version', async () => {
      const rows = await all('SELECT * FROM context_state ORDER BY agent_id')
      deepEqual(Object.keys(rows[0] ?? {}), ['agent_id', 'data', 'version', 'updated_at', 'tenant'])
      deepEqual(rows, [
        { agent_id: 'clerk', data: 'null', version: 1, updated_at: toInstant(40), tenant: 'acme' },
        {
          agent_id: 'trader',
          data: '{"average":"12.50","seen":["ü"]}',
          version: 2,
          updated_at: toInstant(41),
          tenant: 'acme',
        },
      ])
    })

    it('resource_locks: one row a flow and resource, none for what was given back', async () => {
      const rows = await all('SELECT * FROM resource_locks ORDER BY dfid, resource_id')
      const names = ['dfid', 'resource_id', 'amount', 'acquired_at', 'tenant']
      deepEqual(Object.keys(rows[0] ?? {}), names)
      const tenant = 'acme'
      deepEqual(rows, [
        { dfid: DFID, resource_id: 'account/1', amount: 12.5, acquired_at: toInstant(50), tenant },
        { dfid: DFID, resource_id: 'account/2', amount: 1, acquired_at: toInstant(51), tenant },
        { dfid: SECOND, resource_id: 'account/1', amount: 30, acquired_at: toInstant(50), tenant },
      ])
    })
  })
}

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
