/** A law held against the last decisions, however many of them the reader chose. */
import { useRef } from 'react'
import type { LastTried, TryLawAsked } from 'rubicon-agents/client'
import { type Replied, useReply } from '../../api/use-reply.ts'
import { useQuery } from '../../url/location.ts'

export type LawQuestion = Omit<TryLawAsked['body'], 'last' | 'decision' | 'save'>

export type LastTrial = Replied<LastTried | null> & {
  readonly size: string
  readonly setSize: (size: string) => void
  /** The newest answer, while a newer one is on its way. */
  readonly latest: LastTried | null
}

export const SIZES: readonly string[] = ['100', '500', '1000']

/** Null: nothing is asked. */
export function useLastTried(question: LawQuestion | null): LastTrial {
  const [last, setSize] = useQuery('last', '100')
  const size = SIZES.includes(last) ? last : '100'
  const key = question === null ? 'nothing' : `last ${size} ${JSON.stringify(question)}`
  const { reply, again } = useReply(key, async (client, signal) => {
    if (question === null) return { ok: true as const, status: 200, body: null }
    const answer = await client.tryLaw({ body: { ...question, last: Number(size) }, signal })
    return answer.ok ? { ...answer, body: answer.body.last } : answer
  })
  const latest = useRef<LastTried | null>(null)
  if (reply.state === 'ready') latest.current = reply.value
  return { reply, again, size, setSize, latest: latest.current }
}
