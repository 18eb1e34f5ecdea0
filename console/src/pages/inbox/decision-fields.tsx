import type { ReactNode } from 'react'
import type { Deliberation } from './use-decision.ts'

/** What has to be typed: the words of a high impact, and a reason. Both are recorded as they are. */
export function DecisionFields({
  acknowledge,
  deliberation: { said, change },
}: {
  /** Null: there are no words to type. */
  readonly acknowledge: string | null
  readonly deliberation: Pick<Deliberation, 'said' | 'change'>
}): ReactNode {
  return (
    <div className="decision-fields">
      {acknowledge === null ? null : (
        <label>
          <span>
            type <code>{acknowledge}</code> to confirm
          </span>
          <input
            data-field="acknowledgement"
            className="mono"
            autoComplete="off"
            // A phone would begin the words with a capital of its own.
            autoCapitalize="off"
            spellCheck={false}
            value={said.acknowledgement}
            onChange={(event) => change({ acknowledgement: event.target.value })}
          />
        </label>
      )}
      <label className="decision-reason">
        <span>your reason</span>
        <input
          data-field="reason"
          autoComplete="off"
          value={said.reason}
          onChange={(event) => change({ reason: event.target.value })}
        />
      </label>
    </div>
  )
}
