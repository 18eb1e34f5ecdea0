import type { SqliteMigration } from './migration.ts'

/** Why an effect was not applied, for whoever asks about the step. */
export const details: SqliteMigration = {
  number: 6,
  name: 'details',
  sql: `
ALTER TABLE executions ADD COLUMN details TEXT NOT NULL DEFAULT 'null';
`,
}
