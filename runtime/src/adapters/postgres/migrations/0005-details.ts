import type { PostgresMigration } from './migration.ts'

/** Why an effect was not applied, for whoever asks about the step. */
export const details: PostgresMigration = {
  number: 5,
  name: 'details',
  sql: `
ALTER TABLE executions ADD COLUMN details text COLLATE "C" NOT NULL DEFAULT 'null';
`,
}
