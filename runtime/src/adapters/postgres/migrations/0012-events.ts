import type { SchemaStep } from '../../unit/schema-steps.ts'

/** What woke a flow, as JSON; null: it was opened otherwise. */
export const events: SchemaStep = {
  number: 12,
  name: 'events',
  sql: 'ALTER TABLE flows ADD COLUMN event text COLLATE "C";',
}
