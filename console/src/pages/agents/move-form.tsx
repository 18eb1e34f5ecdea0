/** Name and reason of a move. What was typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { AgentDetail, AnyProblem } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { createIdempotencyKey, useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import type { MoveTo } from './move-buttons.tsx'

export function MoveForm({
  agent,
  to,
  word,
  done,
}: {
  readonly agent: AgentDetail
  readonly to: MoveTo
  readonly word: string
  readonly done: () => void
}): ReactNode {
  const client = useClient()
  const [name, setName] = useState('')
  const [justification, setJustification] = useState('')
  const [revoke, setRevoke] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const key = useRef(createIdempotencyKey())
  const { agent_id } = agent
  const named = to === 'ACTIVE' || name === agent_id
  const ready = named && !isBlank(justification)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!ready || busy) return
    setBusy(true)
    const body = { to, justification, ...(revoke && to === 'SUSPENDED' ? { revoke } : {}) }
    const answer = await client.moveAgent({ params: { id: agent_id }, body, key: key.current })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    // A refusal was an answer: what is sent next is another intention.
    if (!answer.ok && answer.problem.status >= 400) key.current = createIdempotencyKey()
    if (answer.ok) done()
  }
  return (
    <form className="stack" onSubmit={send}>
      <ul className="stack">
        {describeMove(agent, to).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {to === 'SUSPENDED' ? (
        <label>
          <input
            type="checkbox"
            checked={revoke}
            onChange={(event) => setRevoke(event.target.checked)}
          />{' '}
          Also revoke its contract: its flows end, and it needs a new version to continue
        </label>
      ) : null}
      {to === 'ACTIVE' ? null : (
        <label>
          Type <strong className="mono">{agent_id}</strong> to confirm{' '}
          <input value={name} onChange={(event) => setName(event.target.value)} />
        </label>
      )}
      <label>
        {to === 'ACTIVE' ? 'Reason why it may continue' : 'Reason'}
        <textarea
          value={justification}
          onChange={(event) => setJustification(event.target.value)}
        />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button
          type="submit"
          className={to === 'ACTIVE' ? 'main' : 'danger'}
          disabled={!ready || busy}
        >
          {busy ? 'Sending…' : word}
        </button>
        <span className="quiet small">Your name and the reason are signed and recorded.</span>
      </p>
    </form>
  )
}

/** What happens with the click, and what does not. */
export function describeMove({ agent_id, open_flows }: AgentDetail, to: MoveTo): readonly string[] {
  if (to === 'ACTIVE')
    return [
      `${agent_id} may propose again, under the contract in force.`,
      'Its sessions have ended: it has to start a new one. Its monitors start over.',
    ]
  const flows =
    open_flows.length === 0
      ? 'It has no open flows.'
      : `${open_flows.length} open flows ${to === 'RETIRED' ? 'end' : 'stop where they are'}.`
  return [
    'Nothing more is sent for it from now on. Its sessions end.',
    flows,
    'Effects already sent are not undone; their outcomes are still recorded.',
    to === 'RETIRED'
      ? 'This cannot be undone.'
      : 'Only an operator can reactivate it, with a reason.',
  ]
}
