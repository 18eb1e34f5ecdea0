/** Name and reason of a move. What was typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AgentDetail } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
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
  const { busy, problem, perform } = useDeed()
  const [name, setName] = useState('')
  const [justification, setJustification] = useState('')
  const [revoke, setRevoke] = useState(false)
  const { agent_id } = agent
  const named = to === 'ACTIVE' || name === agent_id
  const ready = named && !isBlank(justification)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!ready) return
    const body = { to, justification, ...(revoke && to === 'SUSPENDED' ? { revoke } : {}) }
    const moved = await perform((client, key) =>
      client.moveAgent({ params: { id: agent_id }, body, key }),
    )
    if (moved !== null) done()
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
