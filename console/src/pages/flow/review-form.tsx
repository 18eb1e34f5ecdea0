/** A person leaves a flagged flow as it is, and says why. What they typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
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
  const { busy, problem, perform } = useDeed()
  const [justification, setJustification] = useState('')
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const body = { justification, last_flag: lastFlag }
    const flow = await perform((client, key) => client.reviewFlow({ params: { dfid }, body, key }))
    if (flow !== null) reviewed()
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
