import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * Views of the storage seed and of the audit query once more, over every entry that says something for
 * them: an intent may stand in an `accepted` entry, a context in a refusal or a refresh, and a flow may
 * ask several times. Each column is that of the seed; the tenant comes last.
 *
 * A snapshot stands in three kinds of entry. It is looked up by its id, so that a row shows what was
 * seen at that moment and not what the flow was opened with.
 */
const SNAPSHOT_ID = `coalesce(ledger_json(s.payload) #>> '{flow,snapshot_id}',
      ledger_json(s.payload) ->> 'snapshot_id')`
const SNAPSHOT = `coalesce(ledger_json(s.payload) #> '{flow,snapshot}',
      ledger_json(s.payload) -> 'snapshot')::text`

function buildSnapshotQuery(row: string, id: string): string {
  return `(SELECT ${SNAPSHOT} FROM entries s
    WHERE s.dfid = ${row}.dfid AND s.tenant = ${row}.tenant
      AND s.kind IN ('writ', 'evidence', 'rejection') AND ${SNAPSHOT_ID} = ${id}
    ORDER BY s.row DESC LIMIT 1)`
}

const CONTEXT_SNAPSHOTS = `
  CREATE VIEW context_snapshots AS
  SELECT ${SNAPSHOT_ID} AS snapshot_id, s.dfid, s.at AS timestamp,
    ${SNAPSHOT} AS data, 'context_store' AS source, s.tenant
  FROM entries s
  WHERE s.dfid IS NOT NULL AND s.kind IN ('writ', 'evidence', 'rejection')
    AND ${SNAPSHOT_ID} IS NOT NULL;
`

/** One row a flow: what its agent works with now. */
const CONTEXT_SESSION = `
  CREATE VIEW context_session AS
  SELECT f.dfid, ${buildSnapshotQuery('f', 'f.snapshot_id')} AS data, f.snapshot_at AS updated_at, f.tenant
  FROM flows f;
`

const POLICY_PROPOSALS = `
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
  WHERE dfid IS NOT NULL AND kind IN ('accepted', 'dispatch', 'rejection', 'pending_approval')
    AND ledger_json(payload) -> 'proposal' IS NOT NULL;
`

/** A row for each judgement: not for a send, a resend, or a request that is passed on. */
const DIM_VALIDATIONS = `
  CREATE VIEW dim_validations AS
  SELECT dfid,
    CASE kind WHEN 'rejection' THEN 'REJECTED' WHEN 'pending_approval' THEN 'ESCALATED'
      ELSE 'ACCEPTED' END AS outcome,
    coalesce((ledger_json(payload) ->> 'gate')::integer, 5) AS gate_reached,
    coalesce(ledger_json(payload) ->> 'reason_code',
      ledger_json(payload) #>> '{request,reason_code}') AS reason_code,
    (ledger_json(payload) ->> 'attempt')::integer AS attempt_number, at AS evaluated_at, tenant
  FROM entries
  WHERE dfid IS NOT NULL
    AND (kind IN ('accepted', 'rejection')
      OR (kind = 'pending_approval' AND ledger_json(payload) -> 'proposal' IS NOT NULL)
      OR (kind = 'dispatch' AND ledger_json(payload) -> 'intent' IS NOT NULL));
`

/** What was said of a request, as JSON: members in the order of their names. */
function buildApprovalJson(a: string, more = ''): string {
  const buildBodyMember = (name: string): string =>
    `(ledger_json(${a}.payload) #> '{body,${name}}')::text`
  return `'{"approver":' || ${buildBodyMember('approver')} || ',"at":"' || ${a}.at
      || '","decision":' || ${buildBodyMember('decision')}${more}
      || ',"justification":' || ${buildBodyMember('justification')}
      || ',"person":' || coalesce(${buildBodyMember('person')}, 'null') || '}'`
}

/**
 * One row a request, from the entry that asked first. It is decided by an abort, by its end, by what
 * releases it, and without a proposal by as many as it needs; others say so in `earlier`. Where nobody
 * decided, what ended it stands in its record, or in the life of its flow.
 */
const ESCALATION_REQUESTS = `
  CREATE VIEW escalation_requests AS
  SELECT e.dfid, f.agent_id, ledger_json(e.payload) #>> '{request,reason_code}' AS reason,
    ${buildSnapshotQuery('e', `ledger_json(e.payload) #>> '{request,shown_snapshot}'`)} AS context_json,
    (ledger_json(e.payload) -> 'proposal')::text AS proposal_json,
    ledger_json(e.payload) #>> '{request,impact}' AS impact,
    CASE WHEN d.row IS NULL AND r.key IS NULL AND f.state = 'ESCALATED' THEN 'PENDING'
      ELSE 'RESOLVED' END AS status,
    e.at AS created_at,
    coalesce(d.at, ledger_json(r.body) #>> '{ended,at}',
      CASE WHEN f.state <> 'ESCALATED' THEN (SELECT max(step ->> 'at')
        FROM json_array_elements(f.history::json) AS step
        WHERE step ->> 'from' = 'ESCALATED') END) AS resolved_at,
    ${buildApprovalJson(
      'd',
      ` || ',"earlier":[' || coalesce((SELECT string_agg(${buildApprovalJson('b')}, ',' ORDER BY b.row)
        FROM entries b WHERE b.kind = 'approval' AND b.dfid = d.dfid AND b.tenant = d.tenant
          AND b.row < d.row AND ledger_json(b.payload) #>> '{body,request_id}' =
            ledger_json(d.payload) #>> '{body,request_id}'), '') || ']'`,
    )} AS human_decision,
    e.tenant
  FROM entries e
  JOIN flows f ON f.dfid = e.dfid AND f.tenant = e.tenant
  LEFT JOIN entries d ON d.kind = 'approval' AND d.dfid = e.dfid AND d.tenant = e.tenant
    AND ledger_json(d.payload) #>> '{body,request_id}' = ledger_json(e.payload) #>> '{request,id}'
    AND (ledger_json(d.payload) #>> '{body,decision}' IN ('ABORT', 'EXPIRED')
      OR ledger_json(d.payload) ->> 'releases' IS NOT NULL
      OR (ledger_json(e.payload) -> 'proposal' IS NULL
        AND (ledger_json(e.payload) #>> '{request,needs}')::bigint =
          (SELECT count(*) FROM entries b WHERE b.kind = 'approval' AND b.dfid = d.dfid
            AND b.tenant = d.tenant AND b.row <= d.row
            AND ledger_json(b.payload) #>> '{body,request_id}' =
              ledger_json(d.payload) #>> '{body,request_id}')))
  LEFT JOIN records r ON r.tenant = e.tenant AND r.record = 'escalation' AND r.grp = 'closed'
    AND r.key = ledger_json(e.payload) #>> '{request,id}'
  WHERE e.kind = 'pending_approval'
    AND NOT EXISTS (SELECT 1 FROM entries p WHERE p.kind = 'pending_approval'
      AND p.dfid = e.dfid AND p.tenant = e.tenant AND p.row < e.row
      AND ledger_json(p.payload) #>> '{request,id}' = ledger_json(e.payload) #>> '{request,id}');
`

/**
 * A row for each exception that reached a person, by the agent it counts for: of an instance its class.
 * Where a person had it asked again, nothing is counted anew.
 */
const ESCALATION_BUDGET = `
  CREATE VIEW escalation_budget AS
  SELECT e.row AS id,
    coalesce((SELECT ledger_json(c.payload) #>> '{body,contract,instance_of}' FROM flows f
      JOIN entries c ON c.tenant = f.tenant AND c.trajectory = 'authority' AND c.seq = f.contract_seq
      WHERE f.dfid = e.dfid AND f.tenant = e.tenant),
      ledger_json(e.payload) #>> '{request,agent_id}') AS agent_id,
    e.at AS created_at, e.tenant
  FROM entries e
  WHERE e.kind = 'pending_approval'
    AND ledger_json(e.payload) #>> '{request,queue}' = 'exception'
    AND ledger_json(e.payload) #>> '{request,channel}' NOT LIKE 'agent:%'
    AND ledger_json(e.payload) #>> '{facts,approval,decisions}' IS DISTINCT FROM '0';
`

const DECISION_AUDIT_EVENTS = `
  CREATE VIEW decision_audit_events AS
  SELECT e.row AS id, e.dfid, e.kind AS event, e.at AS timestamp,
    coalesce(ledger_json(e.payload) #>> '{intent,step_id}',
      ledger_json(e.payload) #>> '{proposal,step_id}', ledger_json(e.payload) ->> 'step_id',
      ledger_json(e.payload) #>> '{request,step_id}',
      (SELECT x.step_id FROM executions x WHERE x.dfid = e.dfid AND x.tenant = e.tenant
        AND ledger_json(x.intent) ->> 'intent_id' = coalesce(
          ledger_json(e.payload) ->> 'intent_id', ledger_json(e.payload) #>> '{body,intent_id}')),
      (SELECT ledger_json(p.payload) #>> '{request,step_id}' FROM entries p
        WHERE p.kind = 'pending_approval' AND p.dfid = e.dfid AND p.tenant = e.tenant
          AND ledger_json(p.payload) #>> '{request,id}' =
            ledger_json(e.payload) #>> '{body,request_id}' LIMIT 1)) AS step_id,
    CASE e.kind WHEN 'writ' THEN 'CREATED' WHEN 'accepted' THEN 'ACCEPTED'
      WHEN 'dispatch' THEN 'DISPATCHED' WHEN 'resend' THEN 'DISPATCHED' WHEN 'commit' THEN 'SUCCESS'
      WHEN 'rejection' THEN 'REJECTED' WHEN 'pending_approval' THEN 'ESCALATED'
      WHEN 'erasure' THEN 'ERASED'
      ELSE CASE WHEN e.payload IS NULL THEN 'ERASED' ELSE coalesce(
        ledger_json(e.payload) ->> 'status', upper(ledger_json(e.payload) ->> 'finding'),
        ledger_json(e.payload) #>> '{body,decision}',
        CASE WHEN ledger_json(e.payload) -> 'used' IS NOT NULL THEN 'REPORTED'
          WHEN ledger_json(e.payload) -> 'returned' IS NOT NULL THEN 'RETURNED'
          WHEN e.kind = 'delegation' THEN 'DELEGATED' ELSE upper(e.kind) END) END
      END AS state,
    e.payload AS detail_json, e.tenant
  FROM entries e WHERE e.dfid IS NOT NULL;
`

/** In this order; a later step may make them again over other rows. */
export const AUDIT_VIEWS: readonly string[] = [
  CONTEXT_SNAPSHOTS,
  CONTEXT_SESSION,
  POLICY_PROPOSALS,
  DIM_VALIDATIONS,
  ESCALATION_REQUESTS,
  ESCALATION_BUDGET,
  DECISION_AUDIT_EVENTS,
]

export const auditViews: SchemaStep = {
  number: 6,
  name: 'audit views',
  sql: [
    `CREATE INDEX entries_approvals ON entries (dfid, tenant, row) WHERE kind = 'approval';`,
    ...[
      'context_snapshots',
      'context_session',
      'policy_proposals',
      'dim_validations',
      'escalation_requests',
      'decision_audit_events',
    ].map((name) => `DROP VIEW ${name};`),
    ...AUDIT_VIEWS,
  ].join('\n'),
}
