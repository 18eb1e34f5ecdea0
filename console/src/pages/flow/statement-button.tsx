/** What the flow proved, as a file that tools of others verify. */
import { type ReactNode, useState } from 'react'
import type { AnyProblem } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { saveFile } from '../../parts/save-file.ts'

export function StatementButton({ dfid }: { readonly dfid: string }): ReactNode {
  const client = useClient()
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const save = async (): Promise<void> => {
    const answer = await client.exportStatement({ params: { dfid } })
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) saveFile(`${dfid}.intoto.json`, answer.body)
  }
  return (
    <div className="stack">
      <p className="row">
        <button type="button" onClick={() => void save()}>
          Download the statement
        </button>
        <span className="small quiet">in-toto in a DSSE envelope, signed by the kernel’s key</span>
      </p>
      {problem === null ? null : <Failed problem={problem} />}
    </div>
  )
}
