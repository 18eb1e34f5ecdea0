import type { SqliteMigration } from './migration.ts'

/** What woke a flow, as JSON; null: it was opened otherwise. */
export const events: SqliteMigration = {
  number: 13,
  name: 'events',
  sql: 'ALTER TABLE flows ADD COLUMN event TEXT;',
}
