/** Where a yes to a request as it stands would not run: it can be asked anew, under the rules of now. */
import { type ReactNode, useState } from 'react'
import type { AnyProblem, AskedAgain, EscalationBrief } from 'rubicon-agents/client'
import { createIdempotencyKey, useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { type Toast, useToast } from '../../parts/toast.tsx'

export function AskAgain({
  brief,
  again,
}: {
  readonly brief: Pick<EscalationBrief, 'id' | 'outlook'>
  /** Looks at the request again. */
  readonly again: () => void
}): ReactNode {
  const client = useClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const { id, outlook } = brief
  if (outlook === null || outlook.kind === 'runs') return null
  const ask = async (): Promise<void> => {
    setBusy(true)
    const answer = await client.askAgain({ params: { id }, body: {}, key: createIdempotencyKey() })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (!answer.ok) return
    toast(describeAskedAgain(answer.body))
    again()
  }
  return (
    <>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="button" disabled={busy} onClick={() => void ask()}>
          {busy ? 'Asking…' : 'Ask again under the current rules'}
        </button>
        <span className="quiet small">
          If approved now, it would not run. Asking again makes a new request, or returns it to the
          agent.
        </span>
      </p>
    </>
  )
}

/** It waits anew, or went back to its agent. */
function describeAskedAgain({ answer }: AskedAgain): Toast {
  const { outcome, attempt, reason_code = '', dfid } = answer
  if (outcome === 'ESCALATED') {
    const href = `/inbox/${encodeURIComponent(`${dfid}:${attempt}`)}`
    return { text: 'Asked again, under the current rules.', look: { label: 'Open it', href } }
  }
  const look = { label: 'Open the flow', href: `/flows/${dfid}` }
  return {
    text: `Returned to the agent: ${reason_code || 'nobody has to approve it any more'}.`,
    look,
  }
}
