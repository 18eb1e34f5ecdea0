import type { PostgresMigration } from './migration.ts'

/** What woke a flow, as JSON; null: it was opened otherwise. */
export const events: PostgresMigration = {
  number: 12,
  name: 'events',
  sql: 'ALTER TABLE flows ADD COLUMN event text COLLATE "C";',
}
