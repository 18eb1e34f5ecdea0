import type { SchemaStep } from '../../unit/schema-steps.ts'

/** Rows that follow from no entry carry a code under a key that is not in the database. */
export const codes: SchemaStep = {
  number: 9,
  name: 'codes',
  sql: `
ALTER TABLE records ADD COLUMN code text COLLATE "C";
ALTER TABLE counters ADD COLUMN code text COLLATE "C";
`,
}
