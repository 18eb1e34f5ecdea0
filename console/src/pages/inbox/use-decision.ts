/** What somebody has typed and pressed on the way to a decision, and the sending of it. */
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import type { AnyProblem, Decided, EscalationBrief } from 'rubicon-runtime/client'
import { useSession } from '../../api/session.tsx'
import { useNow } from '../../time/time.tsx'
import { type Decision, decisionBody, type Said } from './decision-body.ts'
import { type Draft, useDraft } from './draft.ts'
import { type Missing, missingFor } from './ready.ts'
import { useDecide } from './use-decide.ts'

export type Deliberation = {
  readonly brief: EscalationBrief
  readonly said: Said & Pick<Draft, 'fields'>
  /** The reason as it was typed, without one that is at hand. */
  readonly typed: string
  readonly change: (members: Partial<Draft>) => void
  /** What an approval still needs. */
  readonly missing: Missing | null
  /** Shows what moved; null: nothing did. */
  readonly review: (() => void) | null
  readonly busy: boolean
  readonly problem: AnyProblem | null
  readonly asks: Asks | null
  readonly ask: (asks: Asks | null) => void
  readonly send: (decision: Decision) => Promise<void>
  readonly form: RefObject<HTMLFormElement | null>
  /** To what is missing, or to the button. */
  readonly focus: () => void
  readonly submit: (event: FormEvent) => void
}

/** The questions that stand over the page. */
export type Asks = 'modify' | 'abort'

export type DecisionProps = {
  readonly brief: EscalationBrief
  /** How far the clock that decides is ahead. */
  readonly skew: number
  readonly review: (() => void) | null
  readonly settled: (decided: Decided) => void
  /** Something refused it: look at the request again. */
  readonly again: () => void
}

/** What can be taken back, and is small, takes one key and a look. */
const FAST_REASON = 'looked at in the fast track: as proposed'

export function useDecision({ brief, skew, review, settled, again }: DecisionProps): Deliberation {
  const { session } = useSession()
  // One person's words are not another's, also in the same tab.
  const [draft, change, drop] = useDraft(`${session.tenant} ${session.name} ${brief.id}`)
  const [asks, ask] = useState<Asks | null>(null)
  const { busy, problem, decide } = useDecide(brief.id)
  const form = useRef<HTMLFormElement>(null)
  const now = useNow() + skew
  const fast = brief.impact === 'LOW_IMPACT' && brief.kind === 'proposal'
  const typed = draft.reason ?? ''
  const said = { ...draft, reason: draft.reason ?? (fast ? FAST_REASON : '') }
  const missing = missingFor(brief, said, now)
  const send = async (decision: Decision): Promise<void> => {
    if (busy) return
    const words = decision.word === 'ABORT' ? { ...said, reason: typed } : said
    const decided = await decide(decisionBody(brief, decision, words, now))
    if (decided === null) return again()
    drop()
    settled(decided)
  }
  const focus = (): void => {
    const field = review === null ? (missing?.field ?? 'override') : 'override'
    form.current?.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (review !== null) review()
    else if (missing === null) void send({ word: 'OVERRIDE' })
  }
  const pressed = { busy, problem, asks, ask, send, form, focus, submit }
  return { brief, said, typed, change, missing, review, ...pressed }
}
