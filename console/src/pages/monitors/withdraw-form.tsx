/** Ends a monitor, with a reason. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
import { Failed } from '../../parts/outcomes.tsx'

export function WithdrawForm({
  name,
  done,
}: {
  readonly name: string
  readonly done: () => void
}): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [reason, setReason] = useState('')
  const withdraw = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBlank(reason)) return
    const withdrawn = await perform((client, key) =>
      client.withdrawMonitor({ params: { name }, body: { reason }, key }),
    )
    if (withdrawn !== null) done()
  }
  return (
    <form className="stack" onSubmit={withdraw}>
      <p>
        Nothing watches for <strong>{name}</strong> from then on. Agents that it suspended stay
        suspended.
      </p>
      <label>
        Reason
        <textarea value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="danger" disabled={isBlank(reason) || busy}>
          {busy ? 'Sending…' : 'Withdraw'}
        </button>
        <span className="quiet small">The reason is signed and recorded.</span>
      </p>
    </form>
  )
}
