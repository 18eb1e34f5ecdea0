import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * The tables of the storage seed and of the audit query, under their names and with their columns,
 * as views: nobody writes them, so they cannot disagree with the ledger. The tenant comes last.
 *
 * A step whose effect happened but left the World wrong waits for a person (MANUAL_REVIEW); for the
 * seed it is the failed step of a DIRTY flow.
 *
 * Each view but the first reads one table (others only inside an expression), so that SQLite can
 * take it apart and look a flow up by its index, also on the right side of a LEFT JOIN.
 */
export const views: SchemaStep = {
  number: 2,
  name: 'views',
  sql: `
CREATE VIEW agent_registry AS
WITH contracts AS (
  SELECT payload ->> '$.body.contract.agent_id' AS agent_id, seq, at, tenant,
    payload -> '$.body.contract' AS contract
  FROM entries WHERE trajectory = 'authority' AND kind = 'contract'
), moves AS (
  SELECT payload ->> '$.body.agent_id' AS agent_id, seq, at, tenant,
    payload ->> '$.body.to' AS status, payload ->> '$.body.justification' AS justification
  FROM entries WHERE trajectory = 'authority' AND kind = 'lifecycle'
), registered AS (
  SELECT agent_id, tenant, min(at) AS at FROM contracts GROUP BY agent_id, tenant
), latest_contract AS (
  SELECT agent_id, tenant, max(seq), at, contract FROM contracts GROUP BY agent_id, tenant
), latest_move AS (
  SELECT agent_id, tenant, max(seq), at, status, justification FROM moves GROUP BY agent_id, tenant
)
SELECT c.agent_id, c.contract, c.contract ->> '$.priority' AS priority, m.status,
  c.contract ->> '$.version' AS agent_version, NULL AS session_token,
  CASE m.status WHEN 'SUSPENDED' THEN m.justification END AS suspension_reason,
  r.at AS registered_at, max(c.at, coalesce(m.at, c.at)) AS updated_at, c.tenant
FROM latest_contract c
JOIN registered r ON r.agent_id = c.agent_id AND r.tenant = c.tenant
LEFT JOIN latest_move m ON m.agent_id = c.agent_id AND m.tenant = c.tenant;

CREATE VIEW context_session AS
SELECT dfid, payload -> '$.flow.snapshot' AS data, at AS updated_at, tenant
FROM entries
WHERE dfid IS NOT NULL AND kind = 'writ' AND payload ->> '$.flow.dfid' = dfid;

CREATE VIEW idempotency_cache AS
SELECT idempotency_key AS key, result, settled_at AS created_at, tenant
FROM executions WHERE settled_at IS NOT NULL;

CREATE VIEW saga_dirty_state AS
SELECT f.dfid,
  (SELECT e.step_id FROM executions e
    WHERE e.dfid = f.dfid AND e.tenant = f.tenant
      AND (e.status IN ('FAILED', 'NOT_APPLIED', 'ABANDONED')
        OR e.reason_code IN ('POSTCONDITION_FAILED', 'DELTA_CONFLICT'))
    ORDER BY e.dispatched_at DESC LIMIT 1) AS failed_step,
  (SELECT json_group_array(json_object('step_id', e.step_id, 'status', e.status,
      'result', json(e.result)))
    FROM executions e WHERE e.dfid = f.dfid AND e.tenant = f.tenant) AS partial_state_json,
  f.updated_at AS created_at, f.tenant
FROM flows f
WHERE f.tags <> '[]' AND EXISTS (SELECT 1 FROM json_each(f.tags) WHERE value = 'DIRTY');

CREATE VIEW intent_retry AS
SELECT dfid, rejections AS rejection_count, updated_at, tenant FROM flows;

CREATE VIEW escalation_requests AS
SELECT e.dfid, f.agent_id, e.payload ->> '$.request.reason_code' AS reason,
  (SELECT w.payload -> '$.flow.snapshot' FROM entries w
    WHERE w.dfid = e.dfid AND w.tenant = e.tenant AND w.kind = 'writ'
      AND w.payload ->> '$.flow.dfid' = w.dfid LIMIT 1) AS context_json,
  e.payload -> '$.proposal' AS proposal_json, e.payload ->> '$.request.impact' AS impact,
  CASE f.state WHEN 'ESCALATED' THEN 'PENDING' ELSE 'RESOLVED' END AS status,
  e.at AS created_at,
  CASE WHEN f.state <> 'ESCALATED' THEN (SELECT max(value ->> '$.at') FROM json_each(f.history)
    WHERE value ->> '$.from' = 'ESCALATED') END AS resolved_at,
  NULL AS human_decision, e.tenant
FROM entries e JOIN flows f ON f.dfid = e.dfid AND f.tenant = e.tenant
WHERE e.kind = 'pending_approval'
  AND e.leaf = (SELECT max(l.leaf) FROM entries l
    WHERE l.kind = 'pending_approval' AND l.dfid = e.dfid AND l.tenant = e.tenant);

CREATE VIEW flow_transitions AS
SELECT id, dfid, from_status, to_status, created_at, tenant
FROM (
  SELECT f.row * 65536 + h.key AS id, f.dfid, f.tenant, h.value ->> '$.at' AS created_at,
    CASE h.value ->> '$.from' WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE iif(h.value ->> '$.from' IS NULL, NULL, 'RUNNING') END AS from_status,
    CASE h.value ->> '$.to' WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE 'RUNNING' END AS to_status
  FROM flows f, json_each(f.history) h
)
WHERE from_status IS NOT to_status;

CREATE VIEW decision_audit_events AS
SELECT e.row AS id, e.dfid, e.kind AS event, e.at AS timestamp,
  coalesce(e.payload ->> '$.intent.step_id', e.payload ->> '$.proposal.step_id',
    (SELECT x.step_id FROM executions x WHERE x.dfid = e.dfid AND x.tenant = e.tenant
      AND x.intent ->> '$.intent_id' = e.payload ->> '$.intent_id')) AS step_id,
  CASE e.kind WHEN 'writ' THEN 'CREATED' WHEN 'dispatch' THEN 'DISPATCHED'
    WHEN 'commit' THEN 'SUCCESS' WHEN 'rejection' THEN 'REJECTED'
    WHEN 'pending_approval' THEN 'ESCALATED' ELSE e.payload ->> '$.status' END AS state,
  e.payload AS detail_json, e.tenant
FROM entries e WHERE e.dfid IS NOT NULL;

CREATE VIEW decision_flows AS
SELECT dfid, agent_id, trigger_event, state, parent_dfid, opened_at AS created_at, tenant
FROM flows;

CREATE VIEW context_snapshots AS
SELECT payload ->> '$.flow.snapshot_id' AS snapshot_id, dfid, at AS timestamp,
  payload -> '$.flow.snapshot' AS data, 'context_store' AS source, tenant
FROM entries
WHERE dfid IS NOT NULL AND kind = 'writ' AND payload ->> '$.flow.dfid' = dfid;

CREATE VIEW policy_proposals AS
SELECT dfid, payload ->> '$.proposal.agent_id' AS agent_id,
  payload ->> '$.proposal.policy_kind' AS policy_kind, payload -> '$.proposal.params' AS params,
  payload ->> '$.proposal.context_ref' AS context_ref,
  payload ->> '$.proposal.mission_context_hash' AS mission_context_hash,
  payload -> '$.proposal.execution_constraints' AS execution_constraints,
  payload ->> '$.proposal.valid_until' AS valid_until,
  CAST(payload ->> '$.proposal.confidence' AS REAL) AS confidence,
  payload ->> '$.proposal.justification' AS justification,
  payload ->> '$.proposal.explain_ref' AS explain_ref, tenant
FROM entries
WHERE dfid IS NOT NULL AND kind IN ('dispatch', 'rejection', 'pending_approval')
  AND payload -> '$.proposal' IS NOT NULL;

CREATE VIEW dim_validations AS
SELECT dfid,
  CASE kind WHEN 'dispatch' THEN 'ACCEPTED' WHEN 'rejection' THEN 'REJECTED'
    ELSE 'ESCALATED' END AS outcome,
  coalesce(payload ->> '$.gate', 5) AS gate_reached,
  coalesce(payload ->> '$.reason_code', payload ->> '$.request.reason_code') AS reason_code,
  payload ->> '$.attempt' AS attempt_number, at AS evaluated_at, tenant
FROM entries
WHERE dfid IS NOT NULL
  AND (kind IN ('rejection', 'pending_approval')
    OR (kind = 'dispatch' AND payload ->> '$.send' = 1));

CREATE VIEW execution_log AS
SELECT e.dfid, e.idempotency_key, e.step_id,
  CASE WHEN e.status = 'SUCCESS' THEN 'SUCCESS'
    WHEN e.status NOT IN ('FAILED', 'NOT_APPLIED', 'ABANDONED')
      AND coalesce(e.reason_code, '') NOT IN ('POSTCONDITION_FAILED', 'DELTA_CONFLICT')
      THEN 'PENDING'
    WHEN EXISTS (SELECT 1 FROM flows f, json_each(f.tags) t
      WHERE f.dfid = e.dfid AND f.tenant = e.tenant AND t.value = 'DIRTY') THEN 'DIRTY'
    WHEN e.status = 'MANUAL_REVIEW' THEN 'PENDING'
    ELSE 'FAILED' END AS status,
  nullif(e.receipt, 'null') AS external_receipt, e.settled_at AS executed_at, e.tenant
FROM executions e;
`,
}
