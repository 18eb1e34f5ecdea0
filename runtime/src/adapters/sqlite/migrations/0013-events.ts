import type { SchemaStep } from '../../unit/schema-steps.ts'

/** What woke a flow, as JSON; null: it was opened otherwise. */
export const events: SchemaStep = {
  number: 13,
  name: 'events',
  sql: 'ALTER TABLE flows ADD COLUMN event TEXT;',
}
