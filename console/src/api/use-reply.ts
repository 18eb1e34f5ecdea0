/**
 * A question to the server as a page holds it. What was shown stays until the new answer is there, so
 * that nothing jumps; an answer that comes late, after another question, is dropped.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AnyProblem, Client, ClientAnswer } from 'rubicon-agents/client'
import { useClient } from './session.tsx'

export type Reply<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: AnyProblem }
  | {
      readonly state: 'ready'
      readonly value: T
      /** The last attempt to read it again failed; what is shown is older. */
      readonly stale: AnyProblem | null
    }

export type Asking<T> = (client: Client, signal: AbortSignal) => Promise<ClientAnswer<T>>

export type Replied<T> = {
  readonly reply: Reply<T>
  /** Ask again. */
  readonly again: () => void
}

/** `key` names the question: another key is another question. */
export function useReply<T>(key: string, ask: Asking<T>): Replied<T> {
  const client = useClient()
  const [held, hold] = useState<{ readonly key: string; readonly reply: Reply<T> }>()
  const asking = useRef(ask)
  asking.current = ask
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks again
  useEffect(() => {
    const leaving = new AbortController()
    void asking.current(client, leaving.signal).then((answer) => {
      if (leaving.signal.aborted) return
      hold((before) => ({ key, reply: toReply(answer, before?.key === key ? before.reply : null) }))
    })
    return () => leaving.abort()
  }, [client, key, turn])
  const again = useCallback(() => setTurn((count) => count + 1), [])
  return { reply: held?.key === key ? held.reply : { state: 'loading' }, again }
}

function toReply<T>(answer: ClientAnswer<T>, before: Reply<T> | null): Reply<T> {
  if (answer.ok) return { state: 'ready', value: answer.body, stale: null }
  if (before?.state === 'ready') return { ...before, stale: answer.problem }
  return { state: 'failed', problem: answer.problem }
}
