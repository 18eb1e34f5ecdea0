import type { SchemaStep } from '../../unit/schema-steps.ts'

/** The tree is read from tiles and ids; what it is, a signed head says. */
export const heads: SchemaStep = {
  number: 9,
  name: 'heads',
  sql: `
CREATE TABLE tree_heads (
  tenant TEXT PRIMARY KEY,
  head TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE checkpoints DROP COLUMN frontier;
`,
}
