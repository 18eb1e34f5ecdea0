import type { ReactNode } from 'react'
import type { DecidedBefore } from 'rubicon-agents/client'
import { formatDuration } from '../../time/clock.ts'

const COUNTS = ['overridden', 'modified', 'aborted', 'expired'] as const
const WORDS = {
  overridden: 'approved',
  modified: 'edited',
  aborted: 'rejected',
  expired: 'expired',
} as const

/** What people decided about requests like this one. */
export function DecidedBeforeLine({ before }: { readonly before: DecidedBefore }): ReactNode {
  const counted = COUNTS.filter((count) => before[count] > 0)
  const all = counted.reduce((sum, count) => sum + before[count], 0)
  if (all === 0) return <span className="quiet">none in 30 days</span>
  const parts = counted.map((count) => `${before[count]} ${WORDS[count]}`)
  return (
    <span>
      {all} in 30 days: {parts.join(', ')}
      {before.median_ms === null
        ? ''
        : `; median time to decide ${formatDuration(before.median_ms)}`}
    </span>
  )
}
