/** On the axis, the entries that changed this artifact; and the way from one to the next. */
import type { ReactNode } from 'react'
import type { ArtifactChange } from 'rubicon-agents/client'
import { useKeys } from '../../keys/keys.tsx'
import { go, replaceQuery } from '../../url/location.ts'

export type ChangeStepsProps = {
  /** The newest first. */
  readonly changes: readonly ArtifactChange[]
  readonly seq: number
}

export function ChangeMarks({
  changes,
  seq,
  last,
}: ChangeStepsProps & { readonly last: number }): ReactNode {
  return (
    <div className="change-marks" aria-hidden="true">
      {changes.map((change) => (
        <span
          key={change.entry}
          className={`change-mark ${change.seq === seq ? 'change-mark-shown' : ''}`}
          style={{ left: `${last === 0 ? 0 : (change.seq / last) * 100}%` }}
        />
      ))}
    </div>
  )
}

export function ChangeSteps({ changes, seq }: ChangeStepsProps): ReactNode {
  const older = changes.find((change) => change.seq < seq)?.seq
  const newer = changes.findLast((change) => change.seq > seq)?.seq
  const show = (to: number | undefined): void => {
    if (to !== undefined) go(replaceQuery({ at: String(to) }), { replace: true })
  }
  useKeys([
    { keys: '[', does: 'previous change of the artifact', run: () => show(older) },
    { keys: ']', does: 'next change of the artifact', run: () => show(newer) },
  ])
  return (
    <>
      <button type="button" disabled={older === undefined} onClick={() => show(older)}>
        Previous change
      </button>
      <button type="button" disabled={newer === undefined} onClick={() => show(newer)}>
        Next change
      </button>
    </>
  )
}
