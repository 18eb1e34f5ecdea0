/** Where the clock of a store's owner stood when an operator last confirmed it, and how far time was then. */
import { parseInstant } from 'rubicon-kernel'
import type { StoredRecord } from './record.ts'

export const CONFIRMED = { record: 'clock', group: 'all', key: 'confirmed' } as const

/** In milliseconds. */
export type Confirmed = { readonly clock: number; readonly last: number }

export function confirmedAt(record: StoredRecord<'clock'> | null | undefined): Confirmed | null {
  const clock = parseInstant(record?.body.clock ?? '')
  if (clock === undefined) return null
  return { clock, last: parseInstant(record?.body.last ?? '') ?? clock }
}
