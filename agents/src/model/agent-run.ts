/** What became of a run of a model: what it called, and how it ended. */
import type { AgentAnswer } from '../agent/agent-answer.ts'
import type { StopCode } from './ask-model.ts'

/** One call of the model. */
export type RunCall = {
  /** Which reply it was in, counted from 1. */
  readonly round: number
  /** Of the tool, as the model wrote it. */
  readonly name: string
  /** What the proposal came to; null: it became none. */
  readonly answer: AgentAnswer | null
  /** Why it became none, or what the answer was refused for. */
  readonly code: string | null
}

/** How a run ended. */
export type RunEnd =
  /** It was carried out, or done before. */
  | {
      readonly kind: 'settled'
      /** The last answer of the runtime. */
      readonly answer: AgentAnswer
    }
  /** Somebody else has to act: a person, or whoever knows the outcome. */
  | {
      readonly kind: 'waiting'
      /** The last answer of the runtime. */
      readonly answer: AgentAnswer
    }
  /** The last word of the runtime is no. */
  | {
      readonly kind: 'refused'
      /** The last answer of the runtime. */
      readonly answer: AgentAnswer
    }
  /** The model, or what it may use, came to its end. */
  | {
      readonly kind: 'stopped'
      /** Why it may not go on. */
      readonly code: StopCode
      /** The same, in words. */
      readonly summary: string
    }

/** What became of a run. */
export type AgentRun = {
  /** The flow that it worked on. */
  readonly dfid: string
  /** How it ended. */
  readonly end: RunEnd
  /** What the model called, in order. */
  readonly calls: readonly RunCall[]
  /** Replies of the model. */
  readonly rounds: number
  /** As counted, or the largest possible where nothing was. */
  readonly tokens: number
  /** What the model said last, beside its calls. */
  readonly text: string
}
