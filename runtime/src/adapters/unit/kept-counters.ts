/**
 * Counters that the entries of no flow add up to: what an agent may still do within a window, how many of
 * its flows wait or are half done, what was taken of a writ that several flows stand on. Each is kept once
 * more as a record, for which the row key vouches.
 */
import { COUNTED_GROUP } from '../../ports/counted-group.ts'
import type { RecordBodies, RecordRef } from '../../ports/record.ts'
import type { StoredEntry } from '../../ports/store.ts'

/** The first words of their names. Others that have several words only keep noise down. */
const WIDE: ReadonlySet<string> = new Set(['window', 'waits', 'rejected', 'dirty', 'spawned'])

/** `entries`: of the unit that counts. A flow's own writ is counted with an entry of that flow. */
export function isKeptCounter(id: string, entries: readonly StoredEntry[]): boolean {
  const space = id.indexOf(' ')
  if (space >= 0) return WIDE.has(id.slice(0, space))
  const nonce = id.slice(0, id.lastIndexOf(':'))
  return !entries.some(({ envelope }) => envelope.dfid === nonce)
}

export type CountedRow = RecordRef & {
  readonly version: 1
  readonly body: RecordBodies['counted']
}

export function countedRow(id: string, used: number): CountedRow {
  return { record: 'counted', group: COUNTED_GROUP, key: id, version: 1, body: { used } }
}
