/** Asks once whether to decide what somebody else looks after. Nobody is kept from it. */
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { When } from '../../parts/when.tsx'
import type { QuestionProps } from './modify-dialog.tsx'

export function AnywayDialog({ open, close, deliberation }: QuestionProps): ReactNode {
  return (
    <Dialog title="Decide anyway?" open={open} close={close}>
      <AnywayForm close={close} deliberation={deliberation} />
    </Dialog>
  )
}

const DECIDES = { OVERRIDE: 'Approve', MODIFY: 'Approve the edit', ABORT: 'Reject' } as const

function AnywayForm({ close, deliberation }: Omit<QuestionProps, 'open'>): ReactNode {
  const { others, held, review, sendAnyway } = deliberation
  // An ABORT counts on any facts.
  const ready = review === null || held?.word === 'ABORT'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (ready) sendAnyway()
  }
  return (
    <form className="stack" onSubmit={submit}>
      {others === null ? (
        <p>Nobody has claimed this any more.</p>
      ) : (
        <p>
          <strong>{others.by}</strong>{' '}
          {others.given_by === undefined ? 'claimed this' : `was given this by ${others.given_by}`}{' '}
          <When at={others.since} />. Decide anyway?
        </p>
      )}
      {ready ? null : (
        <p role="alert">⚠ Facts have changed: close this, and review the changes first.</p>
      )}
      <p className="row">
        <button type="submit" className="main" disabled={!ready}>
          {held === null ? 'Decide' : DECIDES[held.word]} anyway
        </button>
        <button type="button" onClick={close}>
          Leave it{others === null ? '' : ` to ${others.by}`}
        </button>
      </p>
    </form>
  )
}
