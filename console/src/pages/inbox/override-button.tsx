import type { ReactNode } from 'react'
import { formatCountdown } from '../../time/clock.ts'
import type { Missing } from './ready.ts'
import type { Deliberation } from './use-decision.ts'

/** Says yes, or says what is missing for it. */
export function OverrideButton({
  deliberation: { busy, missing, review },
}: {
  readonly deliberation: Deliberation
}): ReactNode {
  if (review !== null)
    return (
      <button type="submit" className="main" data-field="override">
        Review changes <kbd>o</kbd>
      </button>
    )
  return (
    <>
      <button type="submit" className="main" data-field="override" disabled={missing !== null}>
        {busy ? 'Sending…' : 'Override'} <kbd>o</kbd>
      </button>
      {missing === null ? null : <MissingWords missing={missing} />}
    </>
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
