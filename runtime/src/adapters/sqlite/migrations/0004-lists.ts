import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * Lists that people ask for stay as fast as they are however many flows have ended well. What is indexed
 * is written when a flow opens, ends, or waits for somebody, and when an effect fails; not in between.
 */
export const lists: SchemaStep = {
  number: 4,
  name: 'lists',
  sql: `
CREATE INDEX flows_open_agent ON flows (tenant, agent_id, dfid)
  WHERE state NOT IN ('CLOSED', 'ABORTED');
CREATE INDEX flows_waiting ON flows (tenant, dfid) WHERE state = 'ESCALATED';
CREATE INDEX flows_aborted ON flows (tenant, dfid) WHERE state = 'ABORTED';
CREATE INDEX executions_failed ON executions (tenant, dfid, step_id)
  WHERE status IN ('FAILED', 'ABANDONED');
`,
}
