/** Asks what a MODIFY would let happen. What is changed after that has to be judged again. */
import { useCallback, useState } from 'react'
import type { AnyProblem, JudgedModification } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'

export type Judging = {
  /** Null: it was not judged, or has changed since. */
  readonly judged: JudgedModification | null
  readonly busy: boolean
  readonly problem: AnyProblem | null
  readonly judge: (params: Readonly<Record<string, unknown>>) => Promise<void>
  readonly forget: () => void
}

export function useJudgement(id: string): Judging {
  const client = useClient()
  const [judged, setJudged] = useState<JudgedModification | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const judge = useCallback(
    async (params: Readonly<Record<string, unknown>>): Promise<void> => {
      setBusy(true)
      const body = { modified: { params } }
      const answer = await client.judgeModification({ params: { id }, body })
      setBusy(false)
      setProblem(answer.ok ? null : answer.problem)
      setJudged(answer.ok ? answer.body : null)
    },
    [client, id],
  )
  const forget = useCallback(() => setJudged(null), [])
  return { judged, busy, problem, judge, forget }
}
