/** What can be done with the requests that are selected: below the list, and in the hand at the thumb. */
import { type ReactNode, useState } from 'react'
import { useKeys } from '../../../keys/keys.tsx'
import type { ListedRequest } from '../request-groups.ts'
import { MOST_SELECTED, type Selection } from '../use-selection.ts'
import { type BatchAsked, BatchDialog } from './batch-dialog.tsx'
import { StakeSumsLine } from './stake-sums-line.tsx'
import { sumStakes } from './sum-stakes.ts'
import './batch.css'

export function BatchBar({
  rows,
  selection,
  look,
}: {
  readonly rows: readonly ListedRequest[]
  readonly selection: Selection
  /** Reads the list again. */
  readonly look: () => void
}): ReactNode {
  const [asked, ask] = useState<BatchAsked | null>(null)
  const chosen = rows.filter(({ id }) => selection.ids.has(id))
  const begin = (word: BatchAsked['word']): void => {
    if (chosen.length > 0) ask({ ids: chosen.map(({ id }) => id), word })
  }
  useKeys([
    { keys: 'A', does: 'approve what is selected', run: () => begin('OVERRIDE') },
    { keys: 'R', does: 'reject what is selected', run: () => begin('ABORT') },
  ])
  return (
    <>
      {chosen.length === 0 ? null : (
        <section className="batch-bar" aria-label="selected requests">
          <span className="batch-count">
            <strong>{chosen.length} selected</strong> · <StakeSumsLine sums={sumStakes(chosen)} />
            {chosen.length < MOST_SELECTED ? null : (
              <span className="quiet small"> · at most {MOST_SELECTED} at once</span>
            )}
          </span>
          <button type="button" className="main" onClick={() => begin('OVERRIDE')}>
            Approve… <kbd>A</kbd>
          </button>
          <button type="button" onClick={() => begin('ABORT')}>
            Reject… <kbd>R</kbd>
          </button>
          <button type="button" className="plain" onClick={selection.clear}>
            Clear
          </button>
        </section>
      )}
      {/* It stays while what it decides leaves the selection. */}
      <BatchDialog
        asked={asked}
        close={() => {
          ask(null)
          look()
        }}
        decided={() => {
          selection.clear()
          look()
        }}
      />
    </>
  )
}
