/** Puts a changed contract in force, once its agent was named. What happened then is said, and whom it needed. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AnyProblem, CheckedContract, ContractVersion } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { useToast } from '../../parts/toast.tsx'

export type Deploying = {
  readonly checked: CheckedContract
  /** What is deployed: the text as it was checked, or with the next version where that one is taken. */
  readonly source: string
  readonly version: string | null
  /** The hash of the version that it was written against; null: of none. */
  readonly replaces: string | null
  readonly standing: ContractVersion | null
  /** There is a version of this number, and the text says it in a way that only people can change. */
  readonly isTaken: boolean
  /** How many of the last decisions would be others; null: nobody knows. */
  readonly flips: number | null
  readonly look: () => void
  readonly deployed: (agent: string) => void
}

export function DeployForm(props: Deploying): ReactNode {
  const {
    checked,
    source,
    version: next,
    replaces,
    standing,
    isTaken,
    flips,
    look,
    deployed,
  } = props
  const { client, session } = useSession()
  const toast = useToast()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const agent_id = checked.agent_id ?? ''
  const deploy = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name !== agent_id || busy) return
    setBusy(true)
    const body = { source, replaces }
    const answer = await client.deployContract({ params: { agent_id }, body })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (!answer.ok) {
      if (answer.problem.code === 'CONTRACT_REPLACED') look()
      return
    }
    const { version, unchanged } = answer.body
    setName('')
    toast({
      text: unchanged
        ? `${agent_id} has version ${version} already.`
        : `Version ${version} of ${agent_id} was deployed.`,
      look: { label: 'Versions', href: `/agents/${encodeURIComponent(agent_id)}?view=versions` },
    })
    deployed(agent_id)
  }
  return (
    <form className="stack" onSubmit={deploy}>
      <h3>
        Deploy version {next} of {agent_id}
      </h3>
      {next === checked.version ? null : (
        <p className="small">
          {checked.version} is deployed already, and versions never change: this text becomes {next}
          .
        </p>
      )}
      {isTaken ? (
        <p>
          <Status
            standing="waiting"
            word={`raise the version: ${checked.version} is deployed already, and versions never change`}
          />
        </p>
      ) : null}
      <ul className="small quiet">
        <li>
          {standing === null
            ? 'It registers a new agent, which has to show its key before it may propose.'
            : `New flows use it; open flows keep version ${standing.version}.`}
        </li>
        {flips === null ? null : <li>{describeFlips(flips)}</li>}
        <li>
          The operator key signs it in the name of {session.shown}. One signature is enough: nobody
          else is asked.
        </li>
      </ul>
      <label>
        Type <strong className="mono">{agent_id}</strong> to confirm{' '}
        <input
          id={DEPLOY_NAME}
          value={name}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={name !== agent_id || busy || isTaken}>
          {busy ? 'Deploying…' : 'Deploy'}
        </button>
      </p>
    </form>
  )
}

const DEPLOY_NAME = 'deploy-name'

/** Where there is something to deploy. */
export function focusDeployName(): void {
  document.getElementById(DEPLOY_NAME)?.focus()
}

function describeFlips(flips: number): string {
  if (flips === 0) return 'None of the last decisions would be another.'
  return `${flips} of the last decisions would be ${flips === 1 ? 'another' : 'others'}.`
}
