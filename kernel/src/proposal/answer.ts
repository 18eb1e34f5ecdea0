/** What an agent hears. It never gets an exception for a "no". */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { StageName } from '../compile/verdict.ts'
import type { WorkingContext } from '../context/working-context.ts'
import type { ExecutionStatus } from '../execution/outcome.ts'

/** What a proposal came to, in a word. */
export type AnswerOutcome = 'ACCEPTED' | 'REJECTED' | 'ESCALATED' | 'EXHAUSTED' | 'REPEATED'

/** What the agent should do with a "no": revise, stop, wait for somebody else, or be looked at. */
export type Disposition = 'soft_stop' | 'hard_stop' | 'delegation' | 'alert'

/** A refusal in words. */
export type Feedback = {
  /** What it means. */
  readonly summary: string
  /** Why there is such a rule. */
  readonly why: string
  /** What helps. */
  readonly fix: string
  /** What it is about here. */
  readonly details: JsonObject
  /** The same proposal may pass later. */
  readonly transient: boolean
  /** When to ask again. */
  readonly retry_after_ms?: number
}

/** What a proposal came to. */
export type Answer = {
  /** The flow. */
  readonly dfid: string
  /** Which proposal of the flow, from 1. */
  readonly attempt: number
  /** In a word. */
  readonly outcome: AnswerOutcome
  /** Of a refusal: whether the agent may revise it. */
  readonly disposition?: Disposition
  /** Of a refusal: why. */
  readonly reason_code?: string
  /** The gate that refused, by number. */
  readonly gate?: number
  /** The stage that refused, by name. */
  readonly stage?: StageName | 'parser' | 'queue' | 'dispatch'
  /** The reason in words, with what would help. */
  readonly feedback?: Feedback
  /** With a "no" because the outside moved on: what the agent may decide on instead. */
  readonly context?: WorkingContext
  /** The ledger entry that holds the whole trace: `trajectory/seq`; empty when nothing was stored. */
  readonly trace_id: string
  /** Of what was sent: what became of it. */
  readonly execution?: {
    /** What is known of it. */
    readonly status: ExecutionStatus | 'PENDING'
    /** Of a refusal: why. */
    readonly reason_code?: string
    /** Of what was not applied: why. */
    readonly details?: JsonObject
    /** What the capability returned. */
    readonly result?: JsonValue
    /** What the provider says of it. */
    readonly receipt?: JsonValue
  }
}
