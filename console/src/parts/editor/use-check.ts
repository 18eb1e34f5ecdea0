/** What the server's checker says of a text, once its writer pauses; a checker that does not answer is said to. */
import { useRef } from 'react'
import type { AnyProblem, Client, ClientAnswer } from 'rubicon-agents/client'
import { useReply } from '../../api/use-reply.ts'
import { useSettled } from './use-settled.ts'

/** As many characters as the server reads. */
export const LONGEST_TEXT = 65_536

const PATIENCE_MS = 20_000

export type CheckedText<T> = {
  /** Of the text as it stands; null while it is asked for. */
  readonly current: T | null
  /** Of this text or the one before: what is shown meanwhile. */
  readonly latest: T | null
  /** The text that `current` is about. */
  readonly settled: string
  readonly isTooLong: boolean
  readonly problem: AnyProblem | null
  readonly again: () => void
}

export function useCheck<T>(
  /** What is checked, and against what: with another the same text is asked about again. */
  what: string,
  text: string,
  ask: (client: Client, text: string, signal: AbortSignal) => Promise<ClientAnswer<T>>,
): CheckedText<T> {
  const settled = useSettled(text)
  const isTooLong = text.length > LONGEST_TEXT
  const isAsked = settled.trim() !== '' && settled.length <= LONGEST_TEXT
  const { reply, again } = useReply<T | null>(
    isAsked ? `check ${what} ${settled}` : 'nothing',
    async (client, signal) =>
      isAsked
        ? ask(client, settled, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
        : { ok: true as const, status: 200, body: null },
  )
  const latest = useRef<T | null>(null)
  const isOfText = settled === text && reply.state === 'ready'
  if (reply.state === 'ready') latest.current = reply.value
  return {
    current: isOfText ? reply.value : null,
    latest: isTooLong ? null : latest.current,
    settled,
    isTooLong,
    problem: reply.state === 'failed' ? reply.problem : null,
    again,
  }
}
