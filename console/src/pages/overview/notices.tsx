/** What stands above everything else: that something is wrong, or that figures are not complete yet. */
import type { ReactNode } from 'react'
import type { Overview } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { Status } from '../../parts/status.tsx'
import { Link } from '../../url/link.tsx'

export function Notices({
  overview: { health, indexed },
}: {
  readonly overview: Pick<Overview, 'health' | 'indexed'>
}): ReactNode {
  const isBuilding = indexed.leaf < indexed.size
  return (
    <>
      {health.damaged ? (
        <p className="overview-notice" role="alert">
          <Status standing="rejected" word="The ledger is damaged: nothing is decided." />{' '}
          <Link href="/ledger?in=verify">Verify it</Link>
        </p>
      ) : null}
      {health.degraded ? (
        <p className="overview-notice" role="alert">
          <Status
            standing="rejected"
            word="The registry does not answer: nothing is decided until it does."
          />
        </p>
      ) : null}
      {isBuilding ? (
        <p className="overview-notice" role="status">
          <Status standing="running" word={`Indexing ${computePercent(indexed)} %`} /> of{' '}
          {formatAmount(String(indexed.size))} entries. Figures count what has been read so far.
        </p>
      ) : null}
      {indexed.problem === null ? null : (
        <p className="overview-notice" role="status">
          <Status standing="waiting" word="The search index" />: {indexed.problem}.
        </p>
      )}
    </>
  )
}

/** Never all of it, while something is missing. */
function computePercent({ leaf, size }: Overview['indexed']): number {
  return Math.min(99, Math.floor((100 * leaf) / Math.max(1, size)))
}
