/** Puts a monitor in force, once it was named: beyond its bound an agent is suspended. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AnyProblem, CheckedMonitor } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { useToast } from '../../parts/toast.tsx'

export function MonitorDeploy({
  checked: { name, in_force },
  source,
  replaces,
  look,
  deployed,
}: {
  readonly checked: CheckedMonitor
  readonly source: string
  /** The hash of the file that it was written against; null: of none. */
  readonly replaces: string | null
  readonly look: () => void
  readonly deployed: (name: string) => void
}): ReactNode {
  const { client, session } = useSession()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const wanted = name ?? ''
  const isTaken = replaces === null && in_force !== null
  const deploy = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed !== wanted || busy) return
    setBusy(true)
    const answer = await client.deployMonitor({
      params: { name: wanted },
      body: { source, replaces },
    })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (!answer.ok) {
      if (answer.problem.code === 'MONITOR_REPLACED') look()
      return
    }
    toast({ text: `The monitor ${wanted} is in force.` })
    deployed(wanted)
  }
  return (
    <form className="stack" onSubmit={deploy}>
      <h3>Deploy {wanted}</h3>
      {isTaken ? (
        <p>
          <Status
            standing="waiting"
            word={`a monitor ${wanted} is in force: edit that one, or choose another name`}
          />
        </p>
      ) : null}
      <ul className="small quiet">
        <li>
          {in_force === null
            ? 'It is a new monitor: it begins to watch at once.'
            : 'It takes the place of the one in force, and counts anew.'}
        </li>
        <li>An agent that trips it is suspended, until an operator reactivates it.</li>
        <li>
          The operator key signs it; you are signed in as {session.shown}. Nobody else is asked.
        </li>
      </ul>
      <label>
        Type <strong className="mono">{wanted}</strong> to confirm{' '}
        <input
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={typed !== wanted || busy || isTaken}>
          {busy ? 'Deploying…' : 'Deploy'}
        </button>
      </p>
    </form>
  )
}
