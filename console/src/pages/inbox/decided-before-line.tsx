import type { ReactNode } from 'react'
import type { DecidedBefore } from 'rubicon-agents/client'
import { formatDuration } from '../../time/clock.ts'

const WORDS = ['overridden', 'modified', 'aborted', 'expired'] as const

/** What people decided about requests like this one. */
export function DecidedBeforeLine({ before }: { readonly before: DecidedBefore }): ReactNode {
  const counted = WORDS.filter((word) => before[word] > 0)
  const all = counted.reduce((sum, word) => sum + before[word], 0)
  if (all === 0) return <span className="quiet">none like this in 30 days</span>
  const parts = counted.map((word) => `${before[word]} ${word}`)
  return (
    <span>
      {all} like this in 30 days: {parts.join(', ')}
      {before.median_ms === null
        ? ''
        : `; median time to decide ${formatDuration(before.median_ms)}`}
    </span>
  )
}
