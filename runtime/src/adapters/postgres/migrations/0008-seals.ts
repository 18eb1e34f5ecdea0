import type { SchemaStep } from '../../unit/schema-steps.ts'

/** Whoever wrote a batch vouches for it until its entries have their places. */
export const seals: SchemaStep = {
  number: 8,
  name: 'seals',
  sql: `
CREATE TABLE seals (
  tenant text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  seal text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, name)
);
ALTER TABLE entries ADD COLUMN seal text COLLATE "C";
`,
}
