/**
 * Sends a decision. Where no answer came, nobody knows whether it arrived: the same decision is then
 * sent again under the same key, and counts once.
 */
import { useCallback, useRef, useState } from 'react'
import { type DecisionBody, isSameIntention } from 'rubicon-agents'
import type { AnyProblem, Decided } from 'rubicon-agents/client'
import { createIdempotencyKey, useClient } from '../../api/session.tsx'

export type Deciding = {
  readonly busy: boolean
  readonly problem: AnyProblem | null
  /** What became of it; null: it was refused, or nobody answered. */
  readonly decide: (body: DecisionBody) => Promise<Decided | null>
}

export function useDecide(id: string): Deciding {
  const client = useClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const unheard = useRef<{ readonly key: string; readonly body: DecisionBody } | null>(null)
  const decide = useCallback(
    async (body: DecisionBody): Promise<Decided | null> => {
      const before = unheard.current
      const sent =
        before !== null && isSameIntention(before.body, body)
          ? before
          : { key: createIdempotencyKey(), body }
      unheard.current = sent
      setBusy(true)
      const answer = await client.decideEscalation({ params: { id }, ...sent })
      setBusy(false)
      setProblem(answer.ok ? null : answer.problem)
      // A refusal is an answer: what is sent next is another intention.
      if (answer.ok || answer.problem.status >= 400) unheard.current = null
      return answer.ok ? answer.body : null
    },
    [client, id],
  )
  return { busy, problem, decide }
}
