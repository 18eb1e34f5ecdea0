import type { ReactNode } from 'react'
import type { Indexed } from 'rubicon-agents/client'
import { useLookAgain } from '../../api/use-look-again.ts'

const LOOK_MS = 3_000
/** Entries of the last moments, which the next look has: a note would come and go with each of them. */
const RECENT = 256

/** While the search index is being made, or has stopped, a list that it answers is incomplete, and says so. */
export function IndexNote({
  indexed,
  look,
}: {
  readonly indexed: Indexed | null
  readonly look: () => void
}): ReactNode {
  const behind = indexed === null ? 0 : indexed.size - indexed.leaf
  useLookAgain(look, LOOK_MS, behind > 0)
  if (indexed === null) return null
  if (indexed.problem !== null)
    return (
      <p className="filter-note" role="status">
        The search index: {indexed.problem}.{' '}
        {behind > 0 ? 'What is found and counted here is incomplete.' : null}
      </p>
    )
  if (behind <= RECENT) return null
  const percent = Math.floor((100 * indexed.leaf) / indexed.size)
  return (
    <p className="filter-note" role="status">
      The search index is being built: {percent} % of the ledger so far. What is found and counted
      here is incomplete until then.
    </p>
  )
}
