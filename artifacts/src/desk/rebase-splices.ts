/** Splices of one text, moved to another that comes of it by other splices. */
import type { Splice } from '../text/splice.ts'

/**
 * Null: one of them writes where another has written. To touch is allowed where the order of the two follows from the text: what is put
 * in beside a word that is replaced stays beside it.
 */
export function rebaseSplices(
  splices: readonly Splice[],
  done: readonly Splice[],
): readonly Splice[] | null {
  const moved: Splice[] = []
  for (const { start, end, text } of splices) {
    let shift = 0
    for (const other of done) {
      const isBefore = other.end <= start && !(isAt(other, start) && start === end)
      const isBehind = end <= other.start && !(isAt(other, start) && start === end)
      if (isBefore) shift += other.text.length - (other.end - other.start)
      else if (!isBehind) return null
    }
    moved.push({ start: start + shift, end: end + shift, text })
  }
  return moved
}

/** It is put in at that place, and replaces nothing. */
function isAt({ start, end }: Splice, place: number): boolean {
  return start === place && end === place
}
