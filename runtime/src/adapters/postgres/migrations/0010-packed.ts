import { DICTIONARIES } from '../../unit/dictionaries.ts'
import type { SchemaStep } from '../../unit/schema-steps.ts'
import { AUDIT_VIEWS } from './0006-audit-views.ts'

/**
 * Payloads of flows are stored packed (`unit/packed-text.ts`), an execution refers to the intent in its entry
 * instead of holding a copy, and the moves of a flow are written in few bytes. What was written before stays,
 * but for the moves, and is read as before. Views read payloads through `ledger`.
 *
 * Packed bytes are not compressed once more. Rows of flows and executions are shorter than they were, so that
 * a version of each finds room in a page that is kept less empty.
 */
const UNPACK = `
CREATE TABLE dictionaries (
  number bigint PRIMARY KEY,
  text text COLLATE "C" NOT NULL
);
${DICTIONARIES.map(({ number, text }) => `INSERT INTO dictionaries VALUES (${number}, '${text}');`).join('\n')}

CREATE FUNCTION ledger_text(packed bytea) RETURNS text
  LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  bytes bytea := (SELECT convert_to(text, 'UTF8') FROM dictionaries WHERE number = get_byte(packed, 0));
  start integer := length(bytes);
  at integer := 1;
  tag integer;
  size integer;
  place integer;
  next integer := 0;
BEGIN
  WHILE at < length(packed) LOOP
    tag := get_byte(packed, at);
    at := at + 1;
    IF tag < 96 THEN
      bytes := bytes || substr(packed, at + 1, tag + 1);
      at := at + tag + 1;
    ELSIF tag < 128 THEN
      bytes := bytes || convert_to(encode(substr(packed, at + 1, tag - 95), 'hex'), 'UTF8');
      at := at + tag - 95;
    ELSE
      size := tag - CASE WHEN tag < 192 THEN 125 ELSE 188 END;
      IF tag IN (191, 255) THEN
        size := size + get_byte(packed, at);
        at := at + 1;
      END IF;
      place := next;
      IF tag >= 192 THEN
        place := length(bytes) - get_byte(packed, at) * 256 - get_byte(packed, at + 1);
        at := at + 2;
      END IF;
      bytes := bytes || substr(bytes, place + 1, size);
      IF place < start THEN
        next := place + size;
      END IF;
    END IF;
  END LOOP;
  RETURN convert_from(substr(bytes, start + 1), 'UTF8');
END $$;
`

const TABLES = `
ALTER TABLE entries ADD COLUMN packed bytea;
ALTER TABLE entries ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE OR REPLACE FUNCTION ledger_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  OLD.payload := NULL;
  OLD.packed := NULL;
  IF NEW IS DISTINCT FROM OLD THEN
    RAISE EXCEPTION 'entries are never changed; only a payload can be erased';
  END IF;
  RETURN NEW;
END $$;
ALTER TABLE executions ADD COLUMN intent_seq bigint;
ALTER TABLE flows SET (fillfactor = 70);
UPDATE flows SET history = (
  SELECT coalesce(json_agg(json_build_array(step ->> 'to', step ->> 'at', step ->> 'from')
    ORDER BY number), '[]')::text
  FROM json_array_elements(history::json) WITH ORDINALITY AS h (step, number));

CREATE VIEW ledger AS
SELECT row, tenant, trajectory, seq, id, parent, v, kind, at, dfid, authority_seq, payload_hash,
  CASE WHEN packed IS NULL THEN payload ELSE ledger_text(packed) END AS payload
FROM entries;

CREATE VIEW flow_steps AS
SELECT f.row * 65536 + h.number AS id, f.dfid, f.tenant, h.step ->> 0 AS to_state,
  CASE WHEN json_array_length(h.step) = 3 THEN h.step ->> 2
    ELSE CASE WHEN h.number > 1 THEN f.history::json -> (h.number - 2)::integer ->> 0 END END AS from_state,
  coalesce(h.step ->> 1, (SELECT p.step ->> 1
    FROM json_array_elements(f.history::json) WITH ORDINALITY AS p (step, number)
    WHERE p.number < h.number AND p.step ->> 1 IS NOT NULL
    ORDER BY p.number DESC LIMIT 1)) AS at
FROM flows f, json_array_elements(f.history::json) WITH ORDINALITY AS h (step, number);
`

/** A negative place would be counted from the end. */
const FLOW_TRANSITIONS = `
CREATE VIEW flow_transitions AS
SELECT id, dfid, from_status, to_status, created_at, tenant
FROM (
  SELECT id, dfid, tenant, at AS created_at,
    CASE from_state WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE CASE WHEN from_state IS NOT NULL THEN 'RUNNING' END END AS from_status,
    CASE to_state WHEN 'CREATED' THEN 'CREATED' WHEN 'CLOSED' THEN 'COMPLETED'
      WHEN 'ABORTED' THEN 'FAILED' WHEN 'ESCALATED' THEN 'WAITING_ESCALATION'
      ELSE 'RUNNING' END AS to_status
  FROM flow_steps
) AS moves
WHERE from_status IS DISTINCT FROM to_status;
`

const INTENT_ID = `CASE WHEN x.intent_seq IS NULL THEN ledger_json(x.intent) ->> 'intent_id'
          ELSE (SELECT ledger_json(i.payload) #>> '{intent,intent_id}' FROM ledger i
            WHERE i.tenant = x.tenant AND i.trajectory = x.trajectory AND i.seq = x.intent_seq) END`

/** In this order; a later step may make them again. */
export const VIEWS: readonly string[] = AUDIT_VIEWS.map((text) =>
  text
    .replaceAll('FROM entries', 'FROM ledger')
    .replaceAll('JOIN entries', 'JOIN ledger')
    .replace(`ledger_json(x.intent) ->> 'intent_id'`, () => INTENT_ID)
    .replace(
      `(SELECT max(step ->> 'at')
        FROM json_array_elements(f.history::json) AS step
        WHERE step ->> 'from' = 'ESCALATED')`,
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
]

export const packed: SchemaStep = {
  number: 10,
  name: 'packed',
  sql: [
    ...REPLACED.map((name) => `DROP VIEW ${name};`),
    UNPACK,
    TABLES,
    FLOW_TRANSITIONS,
    ...VIEWS,
  ].join('\n'),
}
