/** What is sent when somebody decides: bound to what was on their screen, and to nothing else. */
import type { DecideEscalationAsked, EscalationBrief, JudgedModification } from './generated.ts'

export type DecisionBody = DecideEscalationAsked['body']

export type Decision =
  | { readonly word: 'OVERRIDE' }
  | { readonly word: 'MODIFY'; readonly judged: ShownModification }
  | { readonly word: 'ABORT'; readonly retire: boolean }

/** What of a brief a decision is bound to. */
export type ShownRequest = Pick<EscalationBrief, 'impact' | 'acknowledge'> & {
  readonly binds: Pick<
    EscalationBrief['binds'],
    'intent_digest' | 'shown_snapshot' | 'shown_facts' | 'lifts'
  >
}
/** What will run instead, as the server has judged it. */
export type ShownModification = Pick<JudgedModification, 'digest' | 'impact' | 'acknowledge'> & {
  readonly effect: Pick<JudgedModification['effect'], 'params'>
}

export type DecisionWords = { readonly reason: string; readonly acknowledgement: string }

/** How long it may be carried out for: as long as a slow provider takes, not as long as a lunch. */
const VALID_MS = 300_000

export function buildDecisionBody(
  brief: ShownRequest,
  decision: Decision,
  { reason, acknowledgement }: DecisionWords,
  now: number,
): DecisionBody {
  const { intent_digest, shown_snapshot, shown_facts, lifts } = brief.binds
  // What will run says which words it asks for.
  const { impact, acknowledge } = decision.word === 'MODIFY' ? decision.judged : brief
  const bound = { decision: decision.word, intent_digest, shown_snapshot, justification: reason }
  if (decision.word === 'ABORT')
    return { ...bound, lifts: [], ...(decision.retire ? { retire: true } : {}) }
  return {
    ...bound,
    shown_facts,
    lifts,
    valid_until: new Date(now + VALID_MS).toISOString(),
    acknowledged_impact: impact,
    ...(acknowledge === null ? {} : { acknowledgement }),
    ...(decision.word === 'MODIFY' ? buildModification(decision.judged) : {}),
  }
}

function buildModification({ effect, digest }: ShownModification): Partial<DecisionBody> {
  const named = digest === null ? {} : { modification: digest }
  return { modified: { params: effect.params }, ...named }
}

/** The same intention: then it is sent again as it was, under its key. */
export function isSameIntention(a: DecisionBody, b: DecisionBody): boolean {
  const { valid_until: _, ...left } = a
  const { valid_until: __, ...right } = b
  return JSON.stringify(left) === JSON.stringify(right)
}
