import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * Lists that people ask for stay as fast as they are however many flows have ended well. As with open
 * flows, a column of its own says what is indexed: an index over `state` itself would be written with
 * every step of every flow.
 */
export const lists: SchemaStep = {
  number: 3,
  name: 'lists',
  sql: `
ALTER TABLE flows
  ADD COLUMN waiting boolean GENERATED ALWAYS AS (state = 'ESCALATED') STORED,
  ADD COLUMN aborted boolean GENERATED ALWAYS AS (state = 'ABORTED') STORED;
CREATE INDEX flows_waiting ON flows (tenant, dfid) WHERE waiting;
CREATE INDEX flows_open_agent ON flows (agent_id, tenant, dfid) WHERE open;
CREATE INDEX flows_aborted ON flows (tenant, dfid) WHERE aborted;
CREATE INDEX executions_failed ON executions (tenant, dfid, step_id)
  WHERE status IN ('FAILED', 'ABANDONED');
`,
}
