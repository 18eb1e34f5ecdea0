/** What a delta comes to on one text, or why it does not. */
import type { Result } from 'rubicon-kernel'
import type { Span } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'

export type Plan = {
  readonly splices: readonly Splice[]
  readonly after: ParsedText
  /** Splices of the text behind it that give back the text before. */
  readonly inverse: readonly Splice[]
}

export type DeltaProblem = {
  readonly code:
    | 'PATH_INVALID'
    | 'TARGET_MISSING'
    | 'TARGET_AMBIGUOUS'
    | 'TARGET_UNFIT'
    | 'FRAGMENT_INVALID'
    | 'FRAGMENT_REACHES_OUT'
    | 'NAME_TAKEN'
    | 'DANGLING_REFERENCE'
    | 'SECRET_IN_FRAGMENT'
    | 'DELTA_STALE'
    | 'UNDO_BLOCKED'
    | 'CLAIMS_CONFLICT'
    | 'TARGET_READ_ONLY'
    | 'SCHEMA_VIOLATION'
  readonly detail: string
  readonly at?: Span | null
  readonly candidates?: readonly string[]
  /** In the text before, where there are several. */
  readonly places?: readonly Span[]
  /** Of a list, which delta it is about, counted from 0. */
  readonly index?: number
}

export type PlanResult = Result<Plan, DeltaProblem>
