/**
 * The order in which committed entries become leaves of the tenant's tree (S4): every trajectory in
 * its own order, and an authority entry n after everything that was committed under a smaller n and
 * before everything that was committed under n or a later one.
 *
 * Every entry carries the authority's last seq at its commit. It is exact: who commits holds the
 * authority lock shared, who appends to the authority holds it alone, both until their commit can be
 * seen. For the same reason a reader who sees authority entry n sees all that was committed under
 * less than n; what such a reader does not see yet belongs behind what it sees. An entry that cites
 * an authority seq guards it, so it cites the one that it was committed under.
 *
 * `row` counts up along every trajectory, because it is drawn while the trajectory's head is held.
 */
import { AUTHORITY } from 'rubicon-kernel'

export type Unplaced = {
  readonly row: number
  readonly trajectory: string
  readonly seq: number
  /** The authority's last entry when this one was committed; its own seq for an authority entry. */
  readonly authorityHead: number
}

export function sortTreeEntries<T extends Unplaced>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => {
    return a.authorityHead - b.authorityHead || rank(a) - rank(b) || a.row - b.row
  })
}

/** Under the same head, the head itself comes first. */
function rank({ trajectory }: Unplaced): number {
  return trajectory === AUTHORITY ? 0 : 1
}
