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

export function MissingWords({ missing }: { readonly missing: Missing }): ReactNode {
  const { words, left } = missing
  return (
    <span className="quiet small">
      {left === undefined ? words : `${words}: ${formatCountdown(left)}`}
    </span>
  )
}
