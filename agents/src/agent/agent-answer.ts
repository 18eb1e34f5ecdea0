/**
 * What a proposal came to, as a union over its outcome: each kind of answer has the members that it always has, so that
 * the code of an agent is checked against what it can hear. A "no" is an answer and never thrown.
 */
import type { Answer, Feedback } from 'rubicon-kernel/proposal'
import type { ReasonCode } from 'rubicon-kernel/reason'
import { AgentError } from './agent-error.ts'

/** One of the runtime's reasons, or a code that the contract names for one. */
export type AnswerCode = ReasonCode | (string & {})

type Told = Pick<Answer, 'dfid' | 'attempt' | 'trace_id'>
type Refused = Told &
  Pick<Answer, 'disposition' | 'gate' | 'stage' | 'context' | 'execution'> & {
    /** Why it was not carried out; `rubicon explain CODE` has its page. */
    readonly reason_code: AnswerCode
    /** The reason in words, with what would help. */
    readonly feedback: Feedback
  }

/** What was sent, and what is known of its outcome. */
export type Execution = NonNullable<Answer['execution']>

/** It was sent; `execution` says what came of it, or that this is not known yet. */
export type AcceptedAnswer = Told & {
  /** It passed every check and was sent. */
  readonly outcome: 'ACCEPTED'
  /** What was sent, and what is known of its outcome. */
  readonly execution: Execution
}
/** The step was done before: the first result again. */
export type RepeatedAnswer = Told & {
  /** The same step was accepted before. */
  readonly outcome: 'REPEATED'
  /** What came of it then. */
  readonly execution: Execution
}
/** Nothing was sent; `feedback` says why, and what to do about it. */
export type RejectedAnswer = Refused & {
  /** It was refused. */
  readonly outcome: 'REJECTED'
}
/** Somebody else decides: `settled` waits for them. */
export type EscalatedAnswer = Refused & {
  /** It waits for a person or the agent above. */
  readonly outcome: 'ESCALATED'
}
/** The flow is over: it was refused as often as it may be. */
export type ExhaustedAnswer = Refused & {
  /** It was refused, and nothing more is judged in this flow. */
  readonly outcome: 'EXHAUSTED'
}

/** What a proposal came to; `outcome` says which of them it is. */
export type AgentAnswer =
  | AcceptedAnswer
  | RepeatedAnswer
  | RejectedAnswer
  | EscalatedAnswer
  | ExhaustedAnswer

/** An answer that is not whole is none: what an agent cannot rely on it must not act on. */
export function parseAgentAnswer(answer: Answer): AgentAnswer {
  const { outcome, execution, reason_code, feedback, ...told } = answer
  switch (outcome) {
    case 'ACCEPTED':
    case 'REPEATED':
      if (execution === undefined) throw buildUnreadableAnswerError(answer)
      return { ...told, outcome, execution }
    case 'REJECTED':
    case 'ESCALATED':
    case 'EXHAUSTED':
      if (reason_code === undefined || feedback === undefined)
        throw buildUnreadableAnswerError(answer)
      return {
        ...told,
        outcome,
        reason_code,
        feedback,
        ...(execution === undefined ? {} : { execution }),
      }
    default:
      throw buildUnreadableAnswerError(answer)
  }
}

/** Its agent has the next word: to revise, or to ask again later. */
export function isRevisable(answer: AgentAnswer): answer is RejectedAnswer {
  if (answer.outcome !== 'REJECTED') return false
  return answer.feedback.transient || answer.disposition === 'soft_stop'
}

/** Somebody else has to act before it is known what came of it. */
export function isWaiting(answer: AgentAnswer): boolean {
  if (answer.outcome === 'ESCALATED') return true
  const status = 'execution' in answer ? answer.execution?.status : undefined
  return status !== undefined && UNSETTLED.includes(status)
}

const UNSETTLED: readonly string[] = [
  'PENDING',
  'ACCEPTED',
  'DISPATCHED',
  'UNKNOWN',
  'MANUAL_REVIEW',
]

function buildUnreadableAnswerError({ dfid }: Answer): AgentError {
  return new AgentError({
    code: 'ANSWER_UNREADABLE',
    summary: `the answer to a proposal of flow \`${dfid}\` is not whole`,
    fix: 'check that the runtime is of the version that the agent was built for',
  })
}
