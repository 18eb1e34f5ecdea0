/** A comment that somebody writes: kept in the window until it is sent, and sent once. */
import { useRef, useState } from 'react'
import type { AnyProblem } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { createIdempotencyKey, useSession } from '../../../api/session.tsx'
import { useDraft } from '../draft.ts'

export type Commenting = {
  readonly mayComment: boolean
  readonly text: string
  readonly write: (text: string) => void
  readonly busy: boolean
  readonly problem: AnyProblem | null
  readonly send: () => Promise<void>
}

const ROLES: readonly string[] = ['operator', 'approver']

export function useComment(id: string, changed: () => void): Commenting {
  const { client, session } = useSession()
  const [{ reason: text }, change, drop] = useDraft(
    `comment ${session.tenant} ${session.name} ${id}`,
  )
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const unheard = useRef<{ readonly key: string; readonly text: string } | null>(null)
  const send = async (): Promise<void> => {
    if (busy || isBlank(text)) return
    const before = unheard.current
    // The same words again, where nobody knows whether they arrived: they are said once.
    const key = before?.text === text ? before.key : createIdempotencyKey()
    unheard.current = { key, text }
    setBusy(true)
    const answer = await client.addComment({ params: { id }, body: { text }, key })
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok || answer.problem.status >= 400) unheard.current = null
    if (!answer.ok) return
    drop()
    changed()
  }
  const mayComment = session.roles.some((role) => ROLES.includes(role))
  return { mayComment, text, write: (said) => change({ reason: said }), busy, problem, send }
}
