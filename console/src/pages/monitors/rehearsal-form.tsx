/** What a monitor would have done over the past. Nothing is put in force. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AnyProblem, Rehearsal } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Id } from '../../parts/id.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'

const MAY_ACT: readonly string[] = ['ACTIVE', 'ESCALATED']

/** It can be asked of every agent, whatever its effects measure. */
function buildExample(agent: string): string {
  return `api_version: rubicon/v1
kind: Monitor
name: my_monitor
agents: [${agent}]
statistic: {kind: rate, value: status, when: {is: FAILED}, max: "0.10"}
window: {executions: 20}
`
}

export function RehearsalForm(): ReactNode {
  const client = useClient()
  const { reply } = useReply('some agents', (of, signal) => of.listAgents({ query: {}, signal }))
  const [written, setWritten] = useState<string | null>(null)
  const [found, setFound] = useState<Rehearsal | null>(null)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const agents = reply.state === 'ready' ? reply.value.agents : []
  const some = agents.find(({ status }) => MAY_ACT.includes(status)) ?? agents[0]
  const source = written ?? buildExample(some?.agent_id ?? 'AGENT')
  const rehearse = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const answer = await client.rehearseMonitor({ body: { source } })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    setFound(answer.ok ? answer.body : null)
  }
  return (
    <form className="monitor-detail stack" onSubmit={rehearse}>
      <h2>Try a monitor on past data</h2>
      <label className="stack">
        The monitor file
        <textarea
          className="mono"
          rows={10}
          spellCheck={false}
          value={source}
          onChange={(event) => setWritten(event.target.value)}
        />
      </label>
      <p className="row">
        <button type="submit" className="main" disabled={busy}>
          {busy ? 'Checking…' : 'What would it have done?'}
        </button>
        <span className="quiet small">Nothing is deployed.</span>
      </p>
      {problem === null ? null : <Failed problem={problem} />}
      {found === null ? null : <Found found={found} />}
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
