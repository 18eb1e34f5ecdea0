import type { SchemaStep } from '../../unit/schema-steps.ts'

/** The tree is read from tiles and ids; what it is, a signed head says. */
export const heads: SchemaStep = {
  number: 7,
  name: 'heads',
  sql: `
CREATE TABLE tree_heads (
  tenant text COLLATE "C" PRIMARY KEY,
  head text COLLATE "C" NOT NULL
);
ALTER TABLE checkpoints DROP COLUMN frontier;
`,
}
