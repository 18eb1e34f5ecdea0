/** Something that is asked of the server once: it is under way, or was refused, and a second click changes nothing. */
import { useRef, useState } from 'react'
import type { AnyProblem, Client, ClientAnswer } from 'rubicon-agents/client'
import { createIdempotencyKey, useClient } from './session.tsx'

export type Deed = {
  readonly busy: boolean
  readonly problem: AnyProblem | null
  /** Null: it was refused, or one is under way. */
  readonly perform: <T>(
    ask: (client: Client, key: string) => Promise<ClientAnswer<T>>,
  ) => Promise<T | null>
}

export function useDeed(): Deed {
  const client = useClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const key = useRef(createIdempotencyKey())
  const underWay = useRef(false)
  return {
    busy,
    problem,
    async perform(ask) {
      if (underWay.current) return null
      underWay.current = true
      setBusy(true)
      const answer = await ask(client, key.current)
      underWay.current = false
      setBusy(false)
      setProblem(answer.ok ? null : answer.problem)
      // An answer was given: what is asked next is another intention. Without one, it may have been done.
      if (answer.ok || answer.problem.status >= 400) key.current = createIdempotencyKey()
      return answer.ok ? answer.body : null
    },
  }
}
