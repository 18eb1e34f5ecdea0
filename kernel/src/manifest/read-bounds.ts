/** How long an executor may take, and how much it may say: less than the runtime's own bounds, never more. */
import { count } from '../contract/read-scalar.ts'
import { describeValue, type Fields, type Read } from '../contract/reader.ts'
import { LIMITS } from '../limits.ts'

export function checkBounds(fields: Fields): void {
  fields.readDefaulted('timeout_ms', createBoundReader(LIMITS.manifestTimeoutMs), undefined)
  fields.readDefaulted('max_bytes', createBoundReader(LIMITS.resultBytes), undefined)
}

function createBoundReader(most: number): Read<void> {
  return (value, place) => {
    const read = count(1)(value, place)
    if (read > most) place.refuse(`${describeValue(read)} is more than ${most}`)
  }
}
