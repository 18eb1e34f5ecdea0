/** A person leaves a flagged flow as it is, and says why. What they typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { AnyProblem } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { createIdempotencyKey, useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'

export function ReviewForm({
  dfid,
  lastFlag,
  reviewed,
}: {
  readonly dfid: string
  /** The last that is shown, by its `seq`: a review clears none after it. */
  readonly lastFlag: number
  readonly reviewed: () => void
}): ReactNode {
  const client = useClient()
  const [justification, setJustification] = useState('')
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const key = useRef(createIdempotencyKey())
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const body = { justification, last_flag: lastFlag }
    const answer = await client.reviewFlow({ params: { dfid }, body, key: key.current })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    // A refusal was an answer: what is sent next is another intention.
    if (!answer.ok && answer.problem.status >= 400) key.current = createIdempotencyKey()
    if (answer.ok) reviewed()
  }
  return (
    <form className="stack" onSubmit={send}>
      <label>
        Why it can stay as it is
        <textarea
          value={justification}
          onChange={(event) => setJustification(event.target.value)}
        />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={isBlank(justification) || busy}>
          {busy ? 'Sending…' : 'Mark as reviewed'}
        </button>
        <span className="quiet small">Your name and the reason are recorded.</span>
      </p>
    </form>
  )
}
