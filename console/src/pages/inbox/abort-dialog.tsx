/** Ends the flow, and the agent where it is an instance or somebody says so. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { isBlank } from 'rubicon-kernel'
import { Dialog } from '../../parts/dialog.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import type { QuestionProps } from './modify-dialog.tsx'

export function AbortDialog({ open, close, deliberation }: QuestionProps): ReactNode {
  return (
    <Dialog title="Reject" open={open} close={close}>
      <AbortForm deliberation={deliberation} />
    </Dialog>
  )
}

function AbortForm({ deliberation }: Pick<QuestionProps, 'deliberation'>): ReactNode {
  const { brief, said, change, busy, problem, send } = deliberation
  const { reason } = said
  const [retire, setRetire] = useState(false)
  const { agent_id, abort_ends_agent } = brief
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBlank(reason)) void send({ word: 'ABORT', retire })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>The flow ends, and nothing is sent.</p>
      <label className="decision-param">
        <span>your reason</span>
        <input
          autoComplete="off"
          value={reason}
          onChange={(event) => change({ reason: event.target.value })}
        />
      </label>
      {abort_ends_agent ? (
        <p>
          <strong>{agent_id}</strong> is an instance: it is retired too.
        </p>
      ) : (
        <label>
          <input type="checkbox" checked={retire} onChange={() => setRetire(!retire)} /> also retire{' '}
          <strong>{agent_id}</strong>; this cannot be undone
        </label>
      )}
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="danger" disabled={isBlank(reason)}>
          {busy ? 'Sending…' : 'Reject'}
        </button>
      </p>
    </form>
  )
}
