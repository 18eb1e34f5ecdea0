import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * Which lists a flow stands in is a column of its own. SQLite writes an index anew whenever a column
 * that its condition names is set, changed or not: a flow that only goes on would move in four of them.
 */
export const parts: SchemaStep = {
  number: 7,
  name: 'parts',
  sql: `
ALTER TABLE flows ADD COLUMN part TEXT NOT NULL DEFAULT 'running';
UPDATE flows SET part = CASE state WHEN 'ESCALATED' THEN 'waiting' WHEN 'ABORTED' THEN 'aborted'
  WHEN 'CLOSED' THEN 'closed' ELSE 'running' END;
DROP INDEX flows_open;
DROP INDEX flows_open_agent;
DROP INDEX flows_waiting;
DROP INDEX flows_aborted;
DROP INDEX flows_expiring;
CREATE INDEX flows_open ON flows (tenant, dfid) WHERE part IN ('running', 'waiting');
CREATE INDEX flows_open_agent ON flows (tenant, agent_id, dfid)
  WHERE part IN ('running', 'waiting');
CREATE INDEX flows_waiting ON flows (tenant, dfid) WHERE part = 'waiting';
CREATE INDEX flows_aborted ON flows (tenant, dfid) WHERE part = 'aborted';
CREATE INDEX flows_expiring ON flows (tenant, expires_at, dfid) WHERE part IN ('running', 'waiting');
`,
}
