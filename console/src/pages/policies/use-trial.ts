/** The verdict on a decision under a draft; the last answer stays on the screen until the next comes. */
import { useRef } from 'react'
import type { AnyProblem, Trial, TryLawAsked } from 'rubicon-agents/client'
import { useReply } from '../../api/use-reply.ts'
import { useSettled } from '../../parts/editor/use-settled.ts'
import { type Asked, type PolicyDraft, toQuestion } from './draft.ts'

export type Tried = {
  /** Under the law in force. */
  readonly recorded: Trial | null
  /** Under the draft. */
  readonly trial: Trial | null
  readonly problem: AnyProblem | null
  /** A newer answer is on its way. */
  readonly busy: boolean
  /** What cannot be sent. */
  readonly wrong: Extract<Asked, { readonly ok: false }> | null
  readonly question: Extract<Asked, { readonly ok: true }>['question'] | null
}

type Place = { readonly trajectory: string; readonly seq: number }

export function useTrial(decision: string, draft: PolicyDraft): Tried {
  const place = parsePlace(decision)
  const asked = toQuestion(draft)
  const question = useSettled(asked.ok ? JSON.stringify(asked.question) : '')
  const base = useAsked(`base ${decision}`, place === null ? null : { decision: place })
  const changed = useAsked(
    `trial ${decision} ${question}`,
    place === null || question === '' ? null : { decision: place, ...parseQuestion(question) },
  )
  const latest = useRef<{ readonly decision: string; readonly trial: Trial } | null>(null)
  if (changed.trial !== null) latest.current = { decision, trial: changed.trial }
  return {
    recorded: base.trial,
    trial: latest.current?.decision === decision ? latest.current.trial : null,
    problem: changed.problem,
    busy: changed.busy,
    wrong: asked.ok ? null : asked,
    question: question === '' ? null : parseQuestion(question),
  }
}

type Question = Extract<Asked, { readonly ok: true }>['question']

function useAsked(
  key: string,
  body: TryLawAsked['body'] | null,
): { readonly trial: Trial | null; readonly problem: AnyProblem | null; readonly busy: boolean } {
  const { reply } = useReply(body === null ? 'nothing' : key, async (client, signal) =>
    body === null
      ? { ok: true as const, status: 200, body: { one: null, last: null } }
      : client.tryLaw({ body, signal }),
  )
  return {
    trial: reply.state === 'ready' ? reply.value.one : null,
    problem: reply.state === 'failed' ? reply.problem : null,
    busy: reply.state === 'loading',
  }
}

/** `main/4711` */
export function parsePlace(decision: string): Place | null {
  const slash = decision.lastIndexOf('/')
  const seq = Number(decision.slice(slash + 1))
  if (slash <= 0 || !Number.isSafeInteger(seq) || seq < 0) return null
  return { trajectory: decision.slice(0, slash), seq }
}

function parseQuestion(text: string): Question {
  return JSON.parse(text) as Question
}
