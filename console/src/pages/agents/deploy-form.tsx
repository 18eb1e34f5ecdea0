/** Puts a changed contract in force, once its agent was named. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AnyProblem, CheckedContract } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'

export function DeployForm({
  checked,
  source,
  changed,
}: {
  readonly checked: CheckedContract
  readonly source: string
  readonly changed: () => void
}): ReactNode {
  const client = useClient()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const [deployed, setDeployed] = useState<string | null>(null)
  const agent_id = checked.agent_id ?? ''
  const deploy = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name !== agent_id) return
    const answer = await client.deployContract({ params: { agent_id }, body: { source } })
    setProblem(answer.ok ? null : answer.problem)
    if (!answer.ok) return
    setDeployed(answer.body.version)
    setName('')
    changed()
  }
  return (
    <form className="stack" onSubmit={deploy}>
      <h3>Deploy version {checked.version}</h3>
      <p className="quiet small">
        New flows use it; open flows keep their version. The operator key signs it.
      </p>
      <label>
        Type <strong className="mono">{agent_id}</strong> to confirm{' '}
        <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={name !== agent_id}>
          Deploy
        </button>
        <span role="status">
          {deployed === null ? null : (
            <Status standing="allowed" word={`version ${deployed} is in force`} />
          )}
        </span>
      </p>
    </form>
  )
}
