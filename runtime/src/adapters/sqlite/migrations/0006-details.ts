import type { SchemaStep } from '../../unit/schema-steps.ts'

/** Why an effect was not applied, for whoever asks about the step. */
export const details: SchemaStep = {
  number: 6,
  name: 'details',
  sql: `
ALTER TABLE executions ADD COLUMN details TEXT NOT NULL DEFAULT 'null';
`,
}
