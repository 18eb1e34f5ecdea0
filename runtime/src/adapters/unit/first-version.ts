import type { RecordKind } from '../../ports/record.ts'

/**
 * With which version a record begins. One that was dropped and put again is another record: a guard by the
 * version of the first must not hold for the second, however slow the unit was that brings it. So it
 * begins at a number that nobody can have read before (decision 0110).
 */
export function drawFirstVersion(record: RecordKind): number {
  return COUNTED.has(record) ? 1 : drawNumber()
}

/** Of these people or facts name the version, or whoever writes one has to know it before it is written. */
const COUNTED: ReadonlySet<RecordKind> = new Set(['agent_state', 'observation', 'monitor_cursor'])

/** Of 46 bits, all of one length: SQLite keeps them in as many bytes, so that a record that is put again takes the place of the one before. */
function drawNumber(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (0x4000 | (high & 0x3fff)) * 2 ** 32 + low
}
