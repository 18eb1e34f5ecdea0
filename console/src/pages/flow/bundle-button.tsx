/** The flow as a file that others verify, without this server and without trust in whoever hands it on. */
import { type ReactNode, useState } from 'react'
import type { AnyProblem } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { useKeys } from '../../keys/keys.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { useToast } from '../../parts/toast.tsx'

export function BundleButton({ dfid }: { readonly dfid: string }): ReactNode {
  const client = useClient()
  const say = useToast()
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const save = async (): Promise<void> => {
    const answer = await client.exportBundle({ params: { dfid } })
    setProblem(answer.ok ? null : answer.problem)
    if (!answer.ok) return
    const file = `${dfid}.bundle.jsonl`
    saveFile(file, answer.body)
    say({
      text: `${file} is saved. Anybody can check it with \`npx rubicon verify\`, or on this page: Ledger.`,
    })
  }
  useKeys([{ keys: 'b', does: 'download the proof', run: () => void save() }])
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => void save()}>
        Download the proof <kbd>b</kbd>
      </button>
      {problem === null ? null : <Failed problem={problem} />}
    </>
  )
}
