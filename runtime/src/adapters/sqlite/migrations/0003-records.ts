import type { SchemaStep } from '../../unit/schema-steps.ts'

/** What the seed has of them. */
export const RECORD_VIEWS = `CREATE VIEW context_state AS
SELECT key AS agent_id, body -> '$.value' AS data, version, body ->> '$.updated_at' AS updated_at,
  tenant
FROM records WHERE record = 'agent_state';

CREATE VIEW resource_locks AS
SELECT body ->> '$.dfid' AS dfid, grp AS resource_id,
  sum(CAST(body ->> '$.amount' AS REAL)) AS amount, min(body ->> '$.taken_at') AS acquired_at,
  tenant
FROM records WHERE record = 'lock'
GROUP BY tenant, grp, body ->> '$.dfid';
`

/**
 * Small versioned rows of the engine, by kind, group and key, and the tables of the storage seed
 * that they stand for. The seed has one lock a flow and resource, so what several steps of a flow
 * hold of a resource is one row.
 */
export const records: SchemaStep = {
  number: 3,
  name: 'records',
  sql: `
CREATE TABLE records (
  tenant TEXT NOT NULL,
  record TEXT NOT NULL,
  grp TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, record, grp, key)
) STRICT, WITHOUT ROWID;

${RECORD_VIEWS}`,
}
