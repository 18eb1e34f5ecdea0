import type { ReactNode } from 'react'
import { formatCountdown } from '../../time/clock.ts'
import type { Missing } from './ready.ts'
import type { Deliberation } from './use-decision.ts'

/** Approves the request as it is, or shows first what has changed in it. */
export function OverrideButton({
  deliberation: { busy, missing, review },
}: {
  readonly deliberation: Deliberation
}): ReactNode {
  if (review !== null)
    return (
      <button type="submit" className="main" data-field="override">
        Review changes <kbd>a</kbd>
      </button>
    )
  return (
    <button
      type="submit"
      className="main"
      data-field="override"
      title="OVERRIDE in the ledger"
      disabled={missing !== null}
    >
      {busy ? 'Sending…' : 'Approve'} <kbd>a</kbd>
    </button>
  )
}

/** In the hand the field is below what the screen shows: its words lead there. For time there is nothing to press. */
export function MissingWords({
  missing: { words, left },
  focus,
}: {
  readonly missing: Missing
  /** Left out where the field is in sight. */
  readonly focus?: () => void
}): ReactNode {
  if (left !== undefined || focus === undefined)
    return (
      <span className="quiet small">
        {left === undefined ? words : `${words}: ${formatCountdown(left)}`}
      </span>
    )
  return (
    <button type="button" className="plain small" onClick={focus}>
      {words}
    </button>
  )
}
