/** What the desk answers. Answers are JSON, as requests are. */
import type { ClaimSet, CompositionProblem, JsonValue, Result } from 'rubicon-kernel'
import type { SymbolPart } from '../compare/compare-symbols.ts'
import type { DeltaProblem } from '../delta/plan.ts'
import type { MergeConflict } from '../merge/merge.ts'
import type { EventStep } from '../store/artifact-event.ts'
import type { Splice } from '../text/splice.ts'
import type { MemberOrder } from '../tree/symbol-node.ts'
import type { DeskRequest } from './desk-request.ts'

/** From 1 on, as editors count. A column is a UTF-16 unit. */
export type TextPlace = { readonly line: number; readonly column: number }

/** The first line and the last one. */
export type LineRange = readonly [from: number, to: number]

export type DeskSymbol = {
  readonly path: string
  readonly kind: string
  readonly name: string
  readonly lines: LineRange
  readonly definition_hash: string
  readonly order: MemberOrder
  /** How many symbols lie directly in it. */
  readonly children: number
}

export type DeskSlice = {
  readonly text: string
  readonly lines: LineRange
  /** Null: it is the artifact, which has no definition of its own. */
  readonly definition_hash: string | null
  /** Of the bytes of the artifact. */
  readonly content_hash: string
}

/** What a change comes to in one artifact. */
export type PlannedChange = {
  readonly artifact: string
  /** The hash of the text that `deltas` and `claims` are of: `before`, or the base of a plan that was composed with others of that base. */
  readonly base: string
  readonly before: string
  readonly after: string
  /** From `before` to `after`. */
  readonly steps: readonly EventStep[]
  /** Of the text that `base` is the hash of: what was planned there. */
  readonly splices: readonly Splice[]
  /** Null: it cannot be planned anew from deltas of this artifact. */
  readonly deltas: readonly JsonValue[] | null
  readonly claims: ClaimSet
  /** Full names, sorted: `src/auth.ts class:AuthService/method:login`. */
  readonly symbols: readonly string[]
  /** Texts that it writes, and the tokens that they come to: for whoever looks for secrets. */
  readonly written: readonly string[]
}

export type DifferentSymbol = {
  readonly path: string
  readonly kind: string
  /** Where it was, of what was moved or renamed. */
  readonly was: string | null
  /** Of what was changed. */
  readonly parts: readonly SymbolPart[]
  /** In the text behind; of what was removed, in the text before. */
  readonly lines: LineRange
}

export type DifferentLines = {
  /** Of the first line, in the text before and in the text behind. */
  readonly from: number
  readonly to: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

export type Comparison = {
  /** `lines`: one of the texts is none that a format reads, and no symbol is named. */
  readonly by: 'symbols' | 'lines'
  readonly added: readonly DifferentSymbol[]
  readonly removed: readonly DifferentSymbol[]
  readonly changed: readonly DifferentSymbol[]
  readonly renamed: readonly DifferentSymbol[]
  readonly moved: readonly DifferentSymbol[]
  readonly lines: readonly DifferentLines[]
}

export type ArtifactConflict = MergeConflict & { readonly artifact: string }

export type DeskAnswers = {
  readonly symbols: { readonly symbols: readonly DeskSymbol[] }
  readonly slice: DeskSlice
  readonly plan: { readonly changes: readonly PlannedChange[] }
  readonly conflicts: { readonly problems: readonly CompositionProblem[] }
  /** In the order of the parts. */
  readonly compose: { readonly changes: readonly PlannedChange[] }
  readonly undo: { readonly changes: readonly PlannedChange[] }
  /** Of artifacts that are others than ours behind it. None where there are conflicts. */
  readonly merge: {
    readonly changes: readonly PlannedChange[]
    readonly conflicts: readonly ArtifactConflict[]
  }
  readonly compare: Comparison
}

export type DeskAnswer = DeskAnswers[keyof DeskAnswers]

/** Of one request. */
export type DeskAnswerTo<R extends DeskRequest> = DeskAnswers[R['ask']]

export type DeskCode =
  | DeltaProblem['code']
  /** The text is none of its format, nothing reads it, or reading it ended the process that did. */
  | 'ARTIFACT_UNREADABLE'
  /** A name that is asked for is no artifact of the request. */
  | 'ARTIFACT_UNKNOWN'
  | 'DELTA_MALFORMED'
  /** Not a form that the desk knows. */
  | 'REQUEST_INVALID'
  | 'HISTORY_BROKEN'
  /** It took longer than one request may. */
  | 'DESK_TIMEOUT'
  /** So many wait already. */
  | 'DESK_BUSY'
  | 'DESK_CLOSED'
  /** A mistake in the desk itself. */
  | 'DESK_FAILED'

export type DeskProblem = {
  readonly code: DeskCode
  readonly artifact?: string
  readonly detail: string
  readonly at?: TextPlace | null
  readonly candidates?: readonly string[]
  /** What would repair it. */
  readonly fixes?: readonly JsonValue[]
  /** Of a list of deltas, which one, from 0 on. */
  readonly index?: number
}

export interface Desk {
  ask<R extends DeskRequest>(request: R): Promise<Result<DeskAnswerTo<R>, DeskProblem>>
  /** Nothing is asked after it; what waits is refused. */
  close(): Promise<void>
}
