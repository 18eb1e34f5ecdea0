/** What is sent when somebody decides: bound to what was on their screen, and to nothing else. */
import type {
  DecideEscalationAsked,
  EscalationBrief,
  JudgedModification,
  Modification,
} from './generated.ts'

/** The body of `POST /v1/escalations/ID/decision`. */
export type DecisionBody = Omit<DecideEscalationAsked['body'], 'modified'> & {
  /** With MODIFY: what runs instead. */
  readonly modified?: Modification
}

/** What a person decides about a request. */
export type Decision =
  | { readonly word: 'OVERRIDE' }
  | {
      readonly word: 'MODIFY'
      /** What will run instead, as the server has judged it. */
      readonly judged: ShownModification
    }
  | {
      readonly word: 'ABORT'
      /** Whether the agent is retired with it. */
      readonly retire: boolean
    }

/** What of a brief a decision is bound to. */
export type ShownRequest = {
  /** How much care it asks for. */
  readonly impact: EscalationBrief['impact']
  /** What has to be typed; null: nothing. */
  readonly acknowledge: EscalationBrief['acknowledge']
  /** Hashes of what was on the screen: the intent, the snapshot, the facts, and what is lifted. */
  readonly binds: Pick<
    EscalationBrief['binds'],
    'intent_digest' | 'shown_snapshot' | 'shown_facts' | 'lifts'
  >
}

/** What will run instead, as the server has judged it. */
export type ShownModification = {
  /** By which the decision names it; null: it was not judged. */
  readonly digest: JudgedModification['digest']
  /** How much care it asks for. */
  readonly impact: JudgedModification['impact']
  /** What has to be typed; null: nothing. */
  readonly acknowledge: JudgedModification['acknowledge']
  /** The parameters that it will run with. */
  readonly effect: Pick<JudgedModification['effect'], 'params'>
}

/** What the person wrote. */
export type DecisionWords = {
  /** Why they decide so; it is recorded. */
  readonly reason: string
  /** The words that a request of high impact asks to be typed. */
  readonly acknowledgement: string
}

/** How long it may be carried out for: as long as a slow provider takes, not as long as a lunch. */
const VALID_MS = 300_000

/** Makes the body of a decision: bound to what was shown, and valid for five minutes. */
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
