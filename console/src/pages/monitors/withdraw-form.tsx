/** Ends a monitor, with a reason. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { AnyProblem } from 'rubicon-agents/client'
import { createIdempotencyKey, useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'

export function WithdrawForm({
  name,
  done,
}: {
  readonly name: string
  readonly done: () => void
}): ReactNode {
  const client = useClient()
  const key = useRef(createIdempotencyKey())
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const withdraw = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (reason.trim() === '' || busy) return
    setBusy(true)
    const answer = await client.withdrawMonitor({
      params: { name },
      body: { reason },
      key: key.current,
    })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    // The server has answered: another attempt is another intention.
    if (!answer.ok && answer.problem.status >= 400) key.current = createIdempotencyKey()
    if (answer.ok) done()
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
        <button type="submit" className="danger" disabled={reason.trim() === '' || busy}>
          {busy ? 'Sending…' : 'Withdraw'}
        </button>
        <span className="quiet small">The reason is signed and recorded.</span>
      </p>
    </form>
  )
}
