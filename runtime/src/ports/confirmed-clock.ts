/** Where the clock of a store's owner stood when an operator last confirmed it. */
import { parseInstant } from 'rubicon-kernel'
import type { StoredRecord } from './record.ts'

export const CONFIRMED = { record: 'clock', group: 'all', key: 'confirmed' } as const

export function confirmedAt(record: StoredRecord<'clock'> | null | undefined): number | null {
  return parseInstant(record?.body.clock ?? '') ?? null
}
