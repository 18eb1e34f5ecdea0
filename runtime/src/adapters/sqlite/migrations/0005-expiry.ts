import type { SchemaStep } from '../../unit/schema-steps.ts'

/** Flows whose writ has ended are found without looking at the others. */
export const expiry: SchemaStep = {
  number: 5,
  name: 'expiry',
  sql: `
ALTER TABLE flows ADD COLUMN expires_at TEXT NOT NULL DEFAULT '9999-12-31T23:59:59.999Z';
CREATE INDEX flows_expiring ON flows (tenant, expires_at, dfid)
  WHERE state NOT IN ('CLOSED', 'ABORTED');
`,
}
