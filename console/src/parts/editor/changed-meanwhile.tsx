/** Somebody changed what a draft was written against: nothing is written over it unread. */
import { type ReactNode, useState } from 'react'
import { Status } from '../status.tsx'
import { When } from '../when.tsx'
import './changed-meanwhile.css'

export type ChangedMeanwhileProps = {
  /** What happened, in a sentence. */
  readonly said: string
  readonly at?: string | null
  readonly note?: string
  /** Theirs and yours side by side; null: nothing stands there any more. */
  readonly difference: ReactNode
  /** What the difference shows. */
  readonly shows: string
  readonly goOn: () => void
  readonly throwAway: () => void
}

export function ChangedMeanwhile({
  said,
  at = null,
  note,
  difference,
  shows,
  goOn,
  throwAway,
}: ChangedMeanwhileProps): ReactNode {
  const [isShown, show] = useState(false)
  const hasDifference = difference !== null
  return (
    <section className="changed-meanwhile stack" aria-label="changed meanwhile">
      <p role="alert">
        <Status standing="waiting" word={said} /> {at === null ? null : <When at={at} />}
      </p>
      {note === undefined ? null : <p>{note}</p>}
      {isShown ? difference : null}
      <p className="row">
        {hasDifference ? (
          <button type="button" onClick={() => show(!isShown)} aria-expanded={isShown}>
            {isShown ? 'Hide' : 'Show'} {shows}
          </button>
        ) : null}
        <button type="button" onClick={goOn} disabled={hasDifference && !isShown}>
          Keep my text
        </button>
        <button type="button" onClick={throwAway}>
          Take theirs
        </button>
      </p>
    </section>
  )
}
