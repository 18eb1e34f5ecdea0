/** A person says what became of something, on what evidence and why. What they typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Client, ClientAnswer, ResolveExecutionAsked } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../api/use-deed.ts'
import { Failed } from './outcomes.tsx'
import { Term } from './term/term.tsx'
import './outcome-form.css'

export type OutcomeSaid = Required<
  Pick<ResolveExecutionAsked['body'], 'outcome' | 'evidence' | 'justification'>
>

export type OutcomeFormProps<T> = {
  readonly title: string
  /** What can be said, in the words for it. */
  readonly outcomes: readonly (readonly [outcome: OutcomeSaid['outcome'], label: string])[]
  readonly word: string
  readonly ask: (client: Client, body: OutcomeSaid, key: string) => Promise<ClientAnswer<T>>
  readonly settled: () => void
}

export function OutcomeForm<T>({
  title,
  outcomes,
  word,
  ask,
  settled,
}: OutcomeFormProps<T>): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [outcome, setOutcome] = useState<OutcomeSaid['outcome'] | null>(null)
  const [evidence, setEvidence] = useState('')
  const [justification, setJustification] = useState('')
  const ready = outcome !== null && !isBlank(evidence) && !isBlank(justification)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (outcome === null) return
    const body = { outcome, evidence: { found: evidence }, justification }
    const answer = await perform((client, key) => ask(client, body, key))
    if (answer !== null) settled()
  }
  return (
    <form className="outcome-form stack" onSubmit={send}>
      <h3>{title}</h3>
      <fieldset className="stack">
        <legend className="unseen">outcome</legend>
        {outcomes.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="outcome"
              checked={outcome === value}
              onChange={() => setOutcome(value)}
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
          {busy ? 'Sending…' : word}
        </button>
        <span className="quiet small">
          Your name, the <Term word="evidence" /> and the reason are recorded.
        </span>
      </p>
    </form>
  )
}
