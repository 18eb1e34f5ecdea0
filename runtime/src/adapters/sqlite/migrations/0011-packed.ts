import { DICTIONARIES } from '../../unit/dictionaries.ts'
import type { SchemaStep } from '../../unit/schema-steps.ts'
import { RECORD_VIEWS } from './0003-records.ts'
import { AUDIT_VIEWS } from './0008-audit-views.ts'

/**
 * Payloads of flows are stored packed (`unit/packed-text.ts`), an execution refers to the intent in its entry
 * instead of holding a copy, and the moves of a flow are written in few bytes. What was written before stays,
 * but for the moves, and is read as before. Views read payloads through `ledger`, which unpacks them.
 */
const DICTIONARY_ROWS = `
CREATE TABLE dictionaries (
  number INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
${DICTIONARIES.map(({ number, text }) => `INSERT INTO dictionaries VALUES (${number}, '${text}');`).join('\n')}
`

/**
 * With a row number: in a table that is clustered by its key a row may keep a quarter of a page, and a
 * request is longer, so that each took a page of its own for what was left.
 */
const RECORDS = `
CREATE TABLE numbered_records (
  row INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  record TEXT NOT NULL,
  grp TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  code TEXT,
  UNIQUE (tenant, record, grp, key)
) STRICT;
INSERT INTO numbered_records (tenant, record, grp, key, version, body, code)
  SELECT tenant, record, grp, key, version, body, code FROM records;
DROP TABLE records;
ALTER TABLE numbered_records RENAME TO records;
`

const TABLES = `
ALTER TABLE entries ADD COLUMN packed BLOB;
DROP TRIGGER entries_are_frozen;
CREATE TRIGGER entries_are_frozen BEFORE UPDATE ON entries
WHEN NEW.payload IS NOT NULL OR NEW.packed IS NOT NULL OR NEW.row IS NOT OLD.row
  OR NEW.tenant IS NOT OLD.tenant
  OR NEW.leaf IS NOT OLD.leaf OR NEW.trajectory IS NOT OLD.trajectory OR NEW.seq IS NOT OLD.seq
  OR NEW.id IS NOT OLD.id OR NEW.parent IS NOT OLD.parent OR NEW.v IS NOT OLD.v
  OR NEW.kind IS NOT OLD.kind OR NEW.at IS NOT OLD.at OR NEW.dfid IS NOT OLD.dfid
  OR NEW.authority_seq IS NOT OLD.authority_seq OR NEW.payload_hash IS NOT OLD.payload_hash
BEGIN
  SELECT RAISE(ABORT, 'entries are never changed; only a payload can be erased');
END;
ALTER TABLE executions ADD COLUMN intent_seq INTEGER;
UPDATE flows SET history = (
  SELECT json_group_array(json_array(value ->> '$.to', value ->> '$.at', value ->> '$.from'))
  FROM json_each(history));
`

/** A whole number of one or two bytes of `packed`. */
function buildNumber(at: string, bytes = 1): string {
  return `(('0x' || hex(substr(packed, ${at}, ${bytes}))) ->> '$')`
}

const TAG = buildNumber('s.at')
const DICTIONARY = `(SELECT CAST(d.text AS BLOB) FROM dictionaries d WHERE d.number = ${buildNumber('1')})`

const STEP_SIZE = `CASE WHEN ${TAG} < 96 THEN ${TAG} + 2 WHEN ${TAG} < 128 THEN ${TAG} - 94
          WHEN ${TAG} < 191 THEN 1 WHEN ${TAG} = 191 THEN 2 WHEN ${TAG} < 255 THEN 3 ELSE 4 END`
const COPIED = `(${TAG} - iif(${TAG} < 192, 125, 188)
          + iif(${TAG} IN (191, 255), ${buildNumber('s.at + 1')}, 0))`
const FROM = `CASE WHEN ${TAG} < 192 THEN s.next
          ELSE length(s.bytes) - ${buildNumber(`s.at + iif(${TAG} = 255, 2, 1)`, 2)} END`

/** Step by step, each of which adds to what the dictionary begins. */
const LEDGER = `
CREATE VIEW ledger AS
SELECT row, tenant, leaf, trajectory, seq, id, parent, v, kind, at, dfid, authority_seq, payload_hash,
  CASE WHEN packed IS NULL THEN payload ELSE (
    WITH RECURSIVE s (at, next, bytes) AS (
      SELECT 2, 0, ${DICTIONARY}
      UNION ALL
      SELECT s.at + ${STEP_SIZE},
        CASE WHEN ${TAG} >= 128 AND ${FROM} < length(${DICTIONARY}) THEN ${FROM} + ${COPIED} ELSE s.next END,
        CAST(s.bytes || CASE WHEN ${TAG} < 96 THEN substr(packed, s.at + 1, ${TAG} + 1)
          WHEN ${TAG} < 128 THEN lower(hex(substr(packed, s.at + 1, ${TAG} - 95)))
          ELSE substr(s.bytes, ${FROM} + 1, ${COPIED}) END AS BLOB)
      FROM s WHERE s.at <= length(packed)
    )
    SELECT CAST(substr(s.bytes, length(${DICTIONARY}) + 1) AS TEXT) FROM s WHERE s.at > length(packed)
  ) END AS payload
FROM entries;
`

const FLOW_STEPS = `
CREATE VIEW flow_steps AS
SELECT f.row * 65536 + h.key AS id, f.dfid, f.tenant, h.value ->> '$[0]' AS to_state,
  CASE WHEN json_array_length(h.value) = 3 THEN h.value ->> '$[2]'
    WHEN h.key > 0 THEN f.history ->> ('$[' || (h.key - 1) || '][0]') END AS from_state,
  coalesce(h.value ->> '$[1]', (SELECT p.value ->> '$[1]' FROM json_each(f.history) p
    WHERE p.key < h.key AND p.value ->> '$[1]' IS NOT NULL ORDER BY p.key DESC LIMIT 1)) AS at
FROM flows f, json_each(f.history) h;

CREATE VIEW flow_transitions AS
SELECT id, dfid, from_status, to_status, created_at, tenant
FROM (
  SELECT id, dfid, tenant, at AS created_at,
    CASE from_state WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE iif(from_state IS NULL, NULL, 'RUNNING') END AS from_status,
    CASE to_state WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE 'RUNNING' END AS to_status
  FROM flow_steps
)
WHERE from_status IS NOT to_status;
`

const INTENT_ID = `CASE WHEN x.intent_seq IS NULL THEN x.intent ->> '$.intent_id'
          ELSE (SELECT i.payload ->> '$.intent.intent_id' FROM ledger i WHERE i.tenant = x.tenant
            AND i.trajectory = x.trajectory AND i.seq = x.intent_seq) END`

/** In this order; a later step may make them again. */
export const VIEWS: readonly string[] = AUDIT_VIEWS.map((text) =>
  text
    .replaceAll('FROM entries', 'FROM ledger')
    .replaceAll('JOIN entries', 'JOIN ledger')
    .replace(`x.intent ->> '$.intent_id'`, () => INTENT_ID)
    .replace(
      `(SELECT max(value ->> '$.at')
        FROM json_each(f.history) WHERE value ->> '$.from' = 'ESCALATED')`,
      `(SELECT max(h.at) FROM flow_steps h
        WHERE h.dfid = f.dfid AND h.tenant = f.tenant AND h.from_state = 'ESCALATED')`,
    ),
)

const REPLACED = [
  'context_snapshots',
  'context_session',
  'policy_proposals',
  'dim_validations',
  'escalation_requests',
  'escalation_budget',
  'decision_audit_events',
  'flow_transitions',
  'context_state',
  'resource_locks',
]

export const packed: SchemaStep = {
  number: 11,
  name: 'packed',
  sql: [
    ...REPLACED.map((name) => `DROP VIEW ${name};`),
    DICTIONARY_ROWS,
    RECORDS,
    TABLES,
    LEDGER,
    FLOW_STEPS,
    RECORD_VIEWS,
    ...VIEWS,
  ].join('\n'),
}
