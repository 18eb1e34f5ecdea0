/** Gives a request to somebody to look after. It is a claim like one’s own: it gives and takes no rights. */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { EscalationBrief } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { Dialog } from '../../parts/dialog.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import type { Claiming } from './use-claim.ts'

export type AssignProps = {
  readonly brief: Pick<EscalationBrief, 'approvers' | 'claimed'>
  readonly claiming: Claiming
  readonly close: () => void
}

export function AssignDialog({
  open,
  ...props
}: AssignProps & { readonly open: boolean }): ReactNode {
  return (
    <Dialog title="Assign" open={open} close={props.close}>
      <AssignForm {...props} />
    </Dialog>
  )
}

function AssignForm({ brief: { approvers, claimed }, claiming, close }: AssignProps): ReactNode {
  const [to, setTo] = useState('')
  const id = useId()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isBlank(to) && (await claiming.assign(to.trim()))) close()
  }
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <p>
        It stands in their inbox with your name until it is decided or expires. Everybody who may
        decide it still can.
        {claimed === null || claimed.yours ? null : (
          <>
            {' '}
            <strong>{claimed.by}</strong> looks after it now.
          </>
        )}
      </p>
      <label className="decision-param">
        <span>who looks after it</span>
        <input
          list={id}
          autoComplete="off"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <datalist id={id}>
          {approvers.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      {claiming.problem === null ? null : <Failed problem={claiming.problem} />}
      <p>
        <button type="submit" className="main" disabled={claiming.busy || isBlank(to)}>
          {claiming.busy ? 'Sending…' : 'Assign'}
        </button>
      </p>
    </form>
  )
}
