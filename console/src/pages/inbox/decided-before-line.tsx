import type { ReactNode } from 'react'
import type { DecidedBefore } from 'rubicon-agents/client'
import { formatDuration } from '../../time/clock.ts'
import { Link } from '../../url/link.tsx'

const COUNTS = ['overridden', 'modified', 'aborted', 'expired'] as const
const WORDS = {
  overridden: 'approved',
  modified: 'edited',
  aborted: 'rejected',
  expired: 'expired',
} as const

/** What people decided about requests like this one. */
export function DecidedBeforeLine({
  before,
  href,
}: {
  readonly before: DecidedBefore
  /** The list of them. */
  readonly href: string
}): ReactNode {
  const counted = COUNTS.filter((count) => before[count] > 0)
  const all = counted.reduce((sum, count) => sum + before[count], 0)
  if (all === 0) return <span className="quiet">none in 30 days</span>
  const parts = counted.map((count) => `${before[count]} ${WORDS[count]}`)
  return (
    <span>
      <Link href={href}>{all} in 30 days</Link>: {parts.join(', ')}
      {before.median_ms === null
        ? ''
        : `; median time to decide ${formatDuration(before.median_ms)}`}
    </span>
  )
}
