/** As printed in the framework specification, §4.2. */
export const AUDIT_QUERY = `SELECT f.dfid
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
