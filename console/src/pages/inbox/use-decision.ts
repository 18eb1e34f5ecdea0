/** What somebody has typed and pressed on the way to a decision, and the sending of it. */
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { buildDecisionBody, type Decision } from 'rubicon-agents'
import type { AnyProblem, Decided, EscalationBrief, RequestClaim } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { useNow } from '../../time/time.tsx'
import { type Draft, useDraft } from './draft.ts'
import { findMissing, type Missing } from './ready.ts'
import { findOthersClaim } from './use-claim.ts'
import { useDecide } from './use-decide.ts'

export type Deliberation = {
  readonly brief: EscalationBrief
  /** What they typed, and nothing besides: it is signed in their name. */
  readonly said: Draft
  readonly change: (members: Partial<Draft>) => void
  /** What an approval still needs. */
  readonly missing: Missing | null
  /** By the clock that decides. */
  readonly now: number
  /** Shows what moved; null: nothing did. */
  readonly review: (() => void) | null
  readonly busy: boolean
  readonly problem: AnyProblem | null
  readonly asks: Asks | null
  readonly ask: (asks: Asks | null) => void
  readonly send: (decision: Decision) => Promise<void>
  /** The claim of somebody else. */
  readonly others: RequestClaim | null
  /** A decision that waits for whoever made it to say that they mean it all the same. */
  readonly held: Decision | null
  readonly sendAnyway: () => void
  readonly form: RefObject<HTMLFormElement | null>
  /** To what is missing, or to the button. */
  readonly focus: () => void
  readonly submit: (event: FormEvent) => void
}

/** The questions that stand over the page. */
export type Asks = 'approve' | 'modify' | 'abort' | 'anyway'

export type DecisionProps = {
  readonly brief: EscalationBrief
  /** Who looks after it now, whatever is on the screen. */
  readonly claimed: RequestClaim | null
  /** How far the clock that decides is ahead. */
  readonly skew: number
  readonly review: (() => void) | null
  readonly settled: (decided: Decided) => void
  /** Something refused it: look at the request again. */
  readonly again: () => void
}

export function useDecision(props: DecisionProps): Deliberation {
  const { brief, skew, review, settled, again } = props
  const { session } = useSession()
  // One person's words are not another's, also in the same tab.
  const [said, change, drop] = useDraft(`${session.tenant} ${session.name} ${brief.id}`)
  const [asks, ask] = useState<Asks | null>(null)
  const { busy, problem, decide } = useDecide(brief.id)
  const form = useRef<HTMLFormElement>(null)
  const now = useNow() + skew
  const missing = findMissing(brief, said, now)
  const others = findOthersClaim(props.claimed)
  const [held, hold] = useState<Decision | null>(null)
  const meant = useRef('')
  const send = async (decision: Decision): Promise<void> => {
    if (busy) return
    // It is asked once: of another claim again.
    if (others !== null && meant.current !== `${others.by} ${others.since}`) {
      hold(decision)
      return ask('anyway')
    }
    const decided = await decide(buildDecisionBody(brief, decision, said, now))
    if (decided === null) return again()
    drop()
    settled(decided)
  }
  const sendAnyway = (): void => {
    meant.current = others === null ? '' : `${others.by} ${others.since}`
    ask(null)
    if (held !== null) void send(held)
  }
  const moveFocus = (): void => {
    const field = review === null ? (missing?.field ?? 'override') : 'override'
    form.current?.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (review !== null) review()
    else if (missing === null) void send({ word: 'OVERRIDE' })
  }
  const pressed = { busy, problem, asks, ask, send, form, focus: moveFocus, submit }
  const claim = { others, held, sendAnyway }
  return { brief, said, change, missing, now, review, ...pressed, ...claim }
}
