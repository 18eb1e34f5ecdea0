/** What was flagged in a flow, by whom and why; who has looked at it; and the word of a person that clears it. */
import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { AgentText } from '../../parts/agent-text.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { ReviewForm } from './review-form.tsx'

const FLAGGED_BY: Readonly<Record<GetFlowReply['flags'][number]['kind'], string>> = {
  soft_guard: 'soft guard',
  limit: 'limit',
}

export function FlowReview({
  found,
  reviewed,
}: {
  readonly found: Pick<GetFlowReply, 'flow' | 'flags' | 'reviews'>
  readonly reviewed: () => void
}): ReactNode {
  const { flow, flags, reviews } = found
  const isNeeded = flow.tags.includes('NEEDS_REVIEW')
  if (!isNeeded && flags.length === 0 && reviews.length === 0) return null
  return (
    <section className="stack" aria-label="review">
      <h2>Review</h2>
      <ul>
        {flags.map(({ kind, by, why, at, seq, reviewed: isReviewed }) => (
          <li key={`${seq} ${by}`} className="row">
            <span>
              {isReviewed ? 'was flagged by' : 'flagged by'} {FLAGGED_BY[kind]}{' '}
              <span className="mono">{by}</span>
            </span>
            <When at={at} />
            <AgentText text={why} />
          </li>
        ))}
        {reviews.map(({ seq, at, by, justification }) => (
          <li key={seq} className="row">
            <span>reviewed by {toVisibleText(by)}</span>
            <When at={at} />
            <span>{toVisibleText(justification)}</span>
          </li>
        ))}
      </ul>
      {isNeeded ? <ReviewNeeded found={found} reviewed={reviewed} /> : null}
    </section>
  )
}

function ReviewNeeded({
  found: { flow, flags },
  reviewed,
}: {
  readonly found: Pick<GetFlowReply, 'flow' | 'flags'>
  readonly reviewed: () => void
}): ReactNode {
  const { session } = useSession()
  const last = flags.findLast((flag) => !flag.reviewed)
  // What has to be settled is settled with its effects.
  if (flow.tags.includes('DIRTY') || last === undefined)
    return <p className="quiet">An effect of this flow has to be settled by a person.</p>
  if (!session.roles.includes('operator'))
    return <p className="quiet">The role operator is needed to review it.</p>
  return <ReviewForm dfid={flow.dfid} lastFlag={last.seq} reviewed={reviewed} />
}
