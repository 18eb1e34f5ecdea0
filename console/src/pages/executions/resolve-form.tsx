/** A person says what became of an effect. What they typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ExecutionView, ResolveExecutionAsked } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
import { Failed } from '../../parts/outcomes.tsx'
import { Term } from '../../parts/term/term.tsx'

type Outcome = ResolveExecutionAsked['body']['outcome']

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  applied: 'It happened',
  not_applied: 'It did not happen',
  abandon: 'It cannot be found out; close it',
}

export function ResolveForm({
  row,
  settled,
}: {
  readonly row: ExecutionView
  readonly settled: () => void
}): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [evidence, setEvidence] = useState('')
  const [justification, setJustification] = useState('')
  const ready = outcome !== null && !isBlank(evidence) && !isBlank(justification)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (outcome === null) return
    const params = { id: `${row.dfid}:${row.step_id}` }
    const body = { outcome, evidence: { found: evidence }, justification }
    const resolved = await perform((client, key) => client.resolveExecution({ params, body, key }))
    if (resolved !== null) settled()
  }
  return (
    <form className="resolve stack" onSubmit={send}>
      <h3>What happened?</h3>
      <fieldset className="stack">
        <legend className="unseen">outcome</legend>
        {Object.entries(OUTCOMES).map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="outcome"
              checked={outcome === value}
              onChange={() => setOutcome(parseOutcome(value))}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <label>
        Evidence: what you looked at, and what it said
        <textarea value={evidence} onChange={(event) => setEvidence(event.target.value)} />
      </label>
      <label>
        Reason
        <textarea
          value={justification}
          onChange={(event) => setJustification(event.target.value)}
        />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={!ready || busy}>
          {busy ? 'Sending…' : 'Record the outcome'}
        </button>
        <span className="quiet small">
          Your name, the <Term word="evidence" /> and the reason are recorded.
        </span>
      </p>
    </form>
  )
}

function parseOutcome(value: string): Outcome {
  return value as Outcome
}
