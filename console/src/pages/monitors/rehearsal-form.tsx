/** What a monitor would have done over the past. Nothing is put in force. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AnyProblem, Rehearsal } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { Id } from '../../parts/id.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'

export function RehearsalForm({ source }: { readonly source: string }): ReactNode {
  const client = useClient()
  const [found, setFound] = useState<{ readonly of: string; readonly rehearsal: Rehearsal } | null>(
    null,
  )
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const rehearse = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const answer = await client.rehearseMonitor({ body: { source } })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    setFound(answer.ok ? { of: source, rehearsal: answer.body } : null)
  }
  return (
    <form className="stack" onSubmit={rehearse}>
      <p className="row">
        <button type="submit" className="main" disabled={busy}>
          {busy ? 'Checking…' : 'What would it have done?'}
        </button>
        <span className="quiet small">
          Over the last entries of the ledger. Nothing is deployed.
        </span>
      </p>
      {problem === null ? null : <Failed problem={problem} />}
      {found === null ? null : (
        <>
          {found.of === source ? null : (
            <p className="quiet small">The text has changed since: this is about the one before.</p>
          )}
          <Found found={found.rehearsal} />
        </>
      )}
    </form>
  )
}

function Found({ found }: { readonly found: Rehearsal }): ReactNode {
  const { ok, trips, executions, sentence } = found
  return (
    <section className="stack" aria-label="rehearsal">
      <p role="status">
        {executions === 0 ? (
          <Status standing="waiting" word="nothing to try it on: these agents have no executions" />
        ) : (
          <Status
            standing={ok ? 'allowed' : 'waiting'}
            word={`${trips.length} trips over ${executions} executions`}
          />
        )}
      </p>
      <p className="quiet">It trips at: {sentence}</p>
      <ul className="stack">
        {trips.map((trip) => (
          <li key={`${trip.agent_id} ${trip.leaf}`} className="row">
            <When at={trip.at} /> {trip.agent_id}: {trip.value ?? 'unreadable'}, {trip.bound}{' '}
            {trip.threshold}, over {trip.samples} executions
            <Id value={trip.dfid} href={`/flows/${trip.dfid}`} />
          </li>
        ))}
      </ul>
    </section>
  )
}
