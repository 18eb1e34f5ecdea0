/** Who looks after a request. A courtesy between people: it stands beside the decision, not before it. */
import { type ReactNode, useState } from 'react'
import type { EscalationBrief, RequestClaim } from 'rubicon-agents/client'
import { useKeys } from '../../keys/keys.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { findOthersClaim, useClaim } from './use-claim.ts'

export function ClaimLine({
  brief,
  skew,
  changed,
}: {
  readonly brief: EscalationBrief
  readonly skew: number
  readonly changed: () => void
}): ReactNode {
  const { id, claimed, may } = brief
  const [assigning, setAssigning] = useState(false)
  const others = findOthersClaim(claimed)
  const claiming = useClaim(id, claimed, changed)
  const { busy, problem, toggle, release } = claiming
  const mayDecide = Object.values(may).includes(null)
  useKeys([
    { keys: 'c', does: 'claim or release', run: () => void (mayDecide && toggle()) },
    { keys: 'i', does: 'assign to somebody', run: () => void (mayDecide && setAssigning(true)) },
  ])
  const deed = claimed === null ? 'Claim' : others === null ? 'Release' : 'Take over'
  return (
    <>
      <p className="row small">
        {claimed === null ? (
          <span className="quiet">Nobody has claimed this.</span>
        ) : (
          <Holder claimed={claimed} skew={skew} />
        )}
        {mayDecide ? (
          <>
            <button type="button" disabled={busy} onClick={() => void toggle()}>
              {deed} <kbd>c</kbd>
            </button>
            {others === null ? null : (
              <button type="button" disabled={busy} onClick={() => void release()}>
                Release
              </button>
            )}
            <button type="button" disabled={busy} onClick={() => setAssigning(true)}>
              Assign… <kbd>i</kbd>
            </button>
          </>
        ) : null}
      </p>
      {problem === null || assigning ? null : <Failed problem={problem} />}
      <AssignDialog
        open={assigning}
        brief={brief}
        claiming={claiming}
        close={() => setAssigning(false)}
      />
    </>
  )
}

function Holder({
  claimed: { by, yours, since, until, given_by },
  skew,
}: {
  readonly claimed: RequestClaim
  readonly skew: number
}): ReactNode {
  return (
    <span role="status">
      {given_by === undefined ? 'claimed by' : 'given to'} <strong>{yours ? 'you' : by}</strong>{' '}
      {given_by === undefined ? null : `by ${given_by} `}
      <When at={since} />, for another <TimeLeft until={until} skew={skew} />
    </span>
  )
}
