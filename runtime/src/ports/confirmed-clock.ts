/** Where the clock of a store's owner stood when an operator last confirmed it, and how far time was then. */
import { parseInstant } from 'rubicon-kernel'
import type { StoredRecord } from './record.ts'

export const CONFIRMED = { record: 'clock', group: 'all', key: 'confirmed' } as const

/** In milliseconds. */
export type Confirmed = { readonly clock: number; readonly last: number }

export function parseConfirmed(record: StoredRecord<'clock'> | null | undefined): Confirmed | null {
  const clock = parseInstant(record?.body.clock ?? '')
  if (clock === undefined) return null
  return { clock, last: parseInstant(record?.body.last ?? '') ?? clock }
}

/** One part in so many is made up for. */
const SLOWER = 4

/** That of the clock, and what time was ahead of it when it was confirmed, as far as it is not made up for. */
export function computeTimeByClock(now: number, { clock, last }: Confirmed): number {
  const madeUp = Math.floor(Math.max(0, now - clock) / SLOWER)
  return now + Math.max(0, last - clock - madeUp)
}
