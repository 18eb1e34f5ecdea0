/** What an agent hears. It never gets an exception for a "no". */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { StageName } from '../compile/verdict.ts'
import type { WorkingContext } from '../context/working-context.ts'
import type { ExecutionStatus } from '../execution/outcome.ts'

export type AnswerOutcome = 'ACCEPTED' | 'REJECTED' | 'ESCALATED' | 'EXHAUSTED' | 'REPEATED'

/** What the agent should do with a "no": revise, stop, wait for somebody else, or be looked at. */
export type Disposition = 'soft_stop' | 'hard_stop' | 'delegation' | 'alert'

export type Feedback = {
  readonly summary: string
  readonly why: string
  readonly fix: string
  readonly details: JsonObject
  readonly transient: boolean
  readonly retry_after_ms?: number
}

export type Answer = {
  readonly dfid: string
  readonly attempt: number
  readonly outcome: AnswerOutcome
  readonly disposition?: Disposition
  readonly reason_code?: string
  readonly gate?: number
  readonly stage?: StageName | 'parser' | 'queue' | 'dispatch'
  readonly feedback?: Feedback
  /** With a "no" because the outside moved on: what the agent may decide on instead. */
  readonly context?: WorkingContext
  /** The ledger entry that holds the whole trace: `trajectory/seq`; empty when nothing was stored. */
  readonly trace_id: string
  readonly execution?: {
    readonly status: ExecutionStatus | 'PENDING'
    readonly reason_code?: string
    /** Of what was not applied: why. */
    readonly details?: JsonObject
    readonly result?: JsonValue
    readonly receipt?: JsonValue
  }
}
