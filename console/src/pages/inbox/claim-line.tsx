/** Who looks after a request. A courtesy between people: it stands beside the decision, not before it. */
import type { ReactNode } from 'react'
import type { EscalationBrief } from 'rubicon-agents/client'
import { useKeys } from '../../keys/keys.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { findOthersClaim, useClaim } from './use-claim.ts'

export function ClaimLine({
  brief: { id, claimed, may },
  skew,
  changed,
}: {
  readonly brief: EscalationBrief
  readonly skew: number
  readonly changed: () => void
}): ReactNode {
  const others = findOthersClaim(claimed)
  const { busy, problem, toggle, release } = useClaim(id, claimed, changed)
  const mayDecide = Object.values(may).includes(null)
  useKeys([{ keys: 'c', does: 'claim or release', run: () => void (mayDecide && toggle()) }])
  const deed = claimed === null ? 'Claim' : others === null ? 'Release' : 'Take over'
  return (
    <>
      <p className="row small">
        {claimed === null ? (
          <span className="quiet">Nobody has claimed this.</span>
        ) : (
          <span role="status">
            claimed by <strong>{others === null ? 'you' : others.by}</strong>{' '}
            <When at={claimed.since} />, for another <TimeLeft until={claimed.until} skew={skew} />
          </span>
        )}
        {mayDecide ? (
          <button type="button" disabled={busy} onClick={() => void toggle()}>
            {deed} <kbd>c</kbd>
          </button>
        ) : null}
        {mayDecide && others !== null ? (
          <button type="button" disabled={busy} onClick={() => void release()}>
            Release
          </button>
        ) : null}
      </p>
      {problem === null ? null : <Failed problem={problem} />}
    </>
  )
}
