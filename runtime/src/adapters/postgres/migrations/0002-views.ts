import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * The tables of the storage seed and of the audit query, under their names and with their columns,
 * as views: nobody writes them, so they cannot disagree with the ledger. The tenant comes last.
 *
 * A step whose effect happened but left the World wrong waits for a person (MANUAL_REVIEW); for the
 * seed it is the failed step of a DIRTY flow. It also has one lock a flow and resource, so what
 * several steps of a flow hold of a resource is one row.
 *
 * JSON may hold the escape of a NUL, which the server refuses to read: an agent could blind the
 * auditor with one character of its justification. Here it is shown as U+FFFD.
 */
export const views: SchemaStep = {
  number: 2,
  name: 'views',
  sql: `
CREATE FUNCTION ledger_json(text) RETURNS json
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT replace($1, '\\u0000', '\\ufffd')::json $$;

CREATE VIEW agent_registry AS
WITH contracts AS (
  SELECT ledger_json(payload) #>> '{body,contract,agent_id}' AS agent_id, seq, at, tenant,
    ledger_json(payload) #> '{body,contract}' AS contract
  FROM entries WHERE trajectory = 'authority' AND kind = 'contract'
), moves AS (
  SELECT ledger_json(payload) #>> '{body,agent_id}' AS agent_id, seq, at, tenant,
    ledger_json(payload) #>> '{body,to}' AS status,
    ledger_json(payload) #>> '{body,justification}' AS justification
  FROM entries WHERE trajectory = 'authority' AND kind = 'lifecycle'
), registered AS (
  SELECT agent_id, tenant, min(at) AS at FROM contracts GROUP BY agent_id, tenant
), latest_contract AS (
  SELECT DISTINCT ON (tenant, agent_id) agent_id, tenant, at, contract
  FROM contracts ORDER BY tenant, agent_id, seq DESC
), latest_move AS (
  SELECT DISTINCT ON (tenant, agent_id) agent_id, tenant, at, status, justification
  FROM moves ORDER BY tenant, agent_id, seq DESC
)
SELECT c.agent_id, c.contract::text AS contract, (c.contract ->> 'priority')::integer AS priority,
  m.status, c.contract ->> 'version' AS agent_version, NULL::text AS session_token,
  CASE m.status WHEN 'SUSPENDED' THEN m.justification END AS suspension_reason,
  r.at AS registered_at, greatest(c.at, m.at) AS updated_at, c.tenant
FROM latest_contract c
JOIN registered r ON r.agent_id = c.agent_id AND r.tenant = c.tenant
LEFT JOIN latest_move m ON m.agent_id = c.agent_id AND m.tenant = c.tenant;

CREATE VIEW context_state AS
SELECT key AS agent_id, (ledger_json(body) -> 'value')::text AS data, version,
  ledger_json(body) ->> 'updated_at' AS updated_at, tenant
FROM records WHERE record = 'agent_state';

CREATE VIEW context_session AS
SELECT dfid, (ledger_json(payload) #> '{flow,snapshot}')::text AS data, at AS updated_at, tenant
FROM entries
WHERE dfid IS NOT NULL AND kind = 'writ' AND ledger_json(payload) #>> '{flow,dfid}' = dfid;

CREATE VIEW idempotency_cache AS
SELECT idempotency_key AS key, result, settled_at AS created_at, tenant
FROM executions WHERE settled_at IS NOT NULL;

CREATE VIEW resource_locks AS
SELECT ledger_json(body) ->> 'dfid' AS dfid, grp AS resource_id,
  sum((ledger_json(body) ->> 'amount')::numeric)::double precision AS amount,
  min(ledger_json(body) ->> 'taken_at') AS acquired_at, tenant
FROM records WHERE record = 'lock'
GROUP BY tenant, grp, ledger_json(body) ->> 'dfid';

CREATE VIEW saga_dirty_state AS
SELECT f.dfid,
  (SELECT e.step_id FROM executions e
    WHERE e.dfid = f.dfid AND e.tenant = f.tenant
      AND (e.status IN ('FAILED', 'NOT_APPLIED', 'ABANDONED')
        OR e.reason_code IN ('POSTCONDITION_FAILED', 'DELTA_CONFLICT'))
    ORDER BY e.dispatched_at DESC LIMIT 1) AS failed_step,
  (SELECT json_agg(json_build_object('step_id', e.step_id, 'status', e.status,
      'result', ledger_json(e.result)) ORDER BY e.dispatched_at, e.step_id)::text
    FROM executions e WHERE e.dfid = f.dfid AND e.tenant = f.tenant) AS partial_state_json,
  f.updated_at AS created_at, f.tenant
FROM flows f
WHERE f.tags <> '[]' AND f.tags::jsonb ? 'DIRTY';

CREATE VIEW intent_retry AS
SELECT dfid, rejections AS rejection_count, updated_at, tenant FROM flows;

CREATE VIEW escalation_requests AS
SELECT e.dfid, f.agent_id, ledger_json(e.payload) #>> '{request,reason_code}' AS reason,
  (SELECT (ledger_json(w.payload) #> '{flow,snapshot}')::text FROM entries w
    WHERE w.dfid = e.dfid AND w.tenant = e.tenant AND w.kind = 'writ'
      AND ledger_json(w.payload) #>> '{flow,dfid}' = w.dfid LIMIT 1) AS context_json,
  (ledger_json(e.payload) -> 'proposal')::text AS proposal_json,
  ledger_json(e.payload) #>> '{request,impact}' AS impact,
  CASE f.state WHEN 'ESCALATED' THEN 'PENDING' ELSE 'RESOLVED' END AS status,
  e.at AS created_at,
  CASE WHEN f.state <> 'ESCALATED' THEN (SELECT max(step ->> 'at')
    FROM json_array_elements(f.history::json) AS step
    WHERE step ->> 'from' = 'ESCALATED') END AS resolved_at,
  NULL::text AS human_decision, e.tenant
FROM entries e JOIN flows f ON f.dfid = e.dfid AND f.tenant = e.tenant
WHERE e.kind = 'pending_approval'
  AND e.row = (SELECT max(l.row) FROM entries l
    WHERE l.kind = 'pending_approval' AND l.dfid = e.dfid AND l.tenant = e.tenant);

CREATE VIEW flow_transitions AS
SELECT id, dfid, from_status, to_status, created_at, tenant
FROM (
  SELECT f.row * 65536 + h.number AS id, f.dfid, f.tenant, h.step ->> 'at' AS created_at,
    CASE h.step ->> 'from' WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE CASE WHEN h.step ->> 'from' IS NOT NULL THEN 'RUNNING' END END AS from_status,
    CASE h.step ->> 'to' WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE 'RUNNING' END AS to_status
  FROM flows f,
    json_array_elements(f.history::json) WITH ORDINALITY AS h (step, number)
) AS moves
WHERE from_status IS DISTINCT FROM to_status;

CREATE VIEW decision_audit_events AS
SELECT e.row AS id, e.dfid, e.kind AS event, e.at AS timestamp,
  coalesce(ledger_json(e.payload) #>> '{intent,step_id}',
    ledger_json(e.payload) #>> '{proposal,step_id}',
    (SELECT x.step_id FROM executions x WHERE x.dfid = e.dfid AND x.tenant = e.tenant
      AND ledger_json(x.intent) ->> 'intent_id' = ledger_json(e.payload) ->> 'intent_id')
  ) AS step_id,
  CASE e.kind WHEN 'writ' THEN 'CREATED' WHEN 'dispatch' THEN 'DISPATCHED'
    WHEN 'commit' THEN 'SUCCESS' WHEN 'rejection' THEN 'REJECTED'
    WHEN 'pending_approval' THEN 'ESCALATED'
    ELSE ledger_json(e.payload) ->> 'status' END AS state,
  e.payload AS detail_json, e.tenant
FROM entries e WHERE e.dfid IS NOT NULL;

CREATE VIEW decision_flows AS
SELECT dfid, agent_id, trigger_event, state, parent_dfid, opened_at AS created_at, tenant
FROM flows;

CREATE VIEW context_snapshots AS
SELECT ledger_json(payload) #>> '{flow,snapshot_id}' AS snapshot_id, dfid, at AS timestamp,
  (ledger_json(payload) #> '{flow,snapshot}')::text AS data, 'context_store' AS source, tenant
FROM entries
WHERE dfid IS NOT NULL AND kind = 'writ' AND ledger_json(payload) #>> '{flow,dfid}' = dfid;

CREATE VIEW policy_proposals AS
SELECT dfid, ledger_json(payload) #>> '{proposal,agent_id}' AS agent_id,
  ledger_json(payload) #>> '{proposal,policy_kind}' AS policy_kind,
  (ledger_json(payload) #> '{proposal,params}')::text AS params,
  ledger_json(payload) #>> '{proposal,context_ref}' AS context_ref,
  ledger_json(payload) #>> '{proposal,mission_context_hash}' AS mission_context_hash,
  (ledger_json(payload) #> '{proposal,execution_constraints}')::text AS execution_constraints,
  ledger_json(payload) #>> '{proposal,valid_until}' AS valid_until,
  (ledger_json(payload) #>> '{proposal,confidence}')::double precision AS confidence,
  ledger_json(payload) #>> '{proposal,justification}' AS justification,
  ledger_json(payload) #>> '{proposal,explain_ref}' AS explain_ref, tenant
FROM entries
WHERE dfid IS NOT NULL AND kind IN ('dispatch', 'rejection', 'pending_approval')
  AND ledger_json(payload) -> 'proposal' IS NOT NULL;

CREATE VIEW dim_validations AS
SELECT dfid,
  CASE kind WHEN 'dispatch' THEN 'ACCEPTED' WHEN 'rejection' THEN 'REJECTED'
    ELSE 'ESCALATED' END AS outcome,
  coalesce((ledger_json(payload) ->> 'gate')::integer, 5) AS gate_reached,
  coalesce(ledger_json(payload) ->> 'reason_code',
    ledger_json(payload) #>> '{request,reason_code}') AS reason_code,
  (ledger_json(payload) ->> 'attempt')::integer AS attempt_number, at AS evaluated_at, tenant
FROM entries
WHERE dfid IS NOT NULL
  AND (kind IN ('rejection', 'pending_approval')
    OR (kind = 'dispatch' AND ledger_json(payload) ->> 'send' = '1'));

CREATE VIEW execution_log AS
SELECT e.dfid, e.idempotency_key, e.step_id,
  CASE WHEN e.status = 'SUCCESS' THEN 'SUCCESS'
    WHEN e.status NOT IN ('FAILED', 'NOT_APPLIED', 'ABANDONED')
      AND coalesce(e.reason_code, '') NOT IN ('POSTCONDITION_FAILED', 'DELTA_CONFLICT')
      THEN 'PENDING'
    WHEN EXISTS (SELECT 1 FROM flows f
      WHERE f.dfid = e.dfid AND f.tenant = e.tenant AND f.tags::jsonb ? 'DIRTY') THEN 'DIRTY'
    WHEN e.status = 'MANUAL_REVIEW' THEN 'PENDING'
    ELSE 'FAILED' END AS status,
  nullif(e.receipt, 'null') AS external_receipt, e.settled_at AS executed_at, e.tenant
FROM executions e;
`,
}
