/** Keeps the decision and its verdict as a test that `rubicon policy test` runs. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AnyProblem, TryLawAsked } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { parsePlace } from './use-trial.ts'

const COMMAND = 'npx rubicon policy test case.json --rules MODULE'

export function SaveCase({
  decision,
  question,
}: {
  readonly decision: string
  readonly question: Partial<TryLawAsked['body']> | null
}): ReactNode {
  const client = useClient()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const place = parsePlace(decision)
    if (place === null || question === null) return
    const body = { ...question, decision: place, save: name }
    const answer = await client.tryLaw({ body })
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok && answer.body.one?.saved != null)
      saveFile('case.json', `${JSON.stringify(answer.body.one.saved, null, 2)}\n`)
  }
  return (
    <form className="stack" onSubmit={save}>
      <p className="row">
        <label>
          Save as a test:{' '}
          <input
            placeholder="name of the test"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button type="submit" disabled={name.trim() === '' || question === null}>
          Save
        </button>
      </p>
      <p className="quiet small">
        <code>{COMMAND}</code>
      </p>
      {problem === null ? null : <Failed problem={problem} />}
    </form>
  )
}
