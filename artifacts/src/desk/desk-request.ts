/** What the desk is asked. Requests are JSON: they go to another process. */
import type { ClaimSet, JsonValue, StrategyTree } from 'rubicon-kernel'
import type { EventStep } from '../store/artifact-event.ts'
import type { Splice } from '../text/splice.ts'
import type { DeskText, ProjectText } from './desk-text.ts'

/** Which symbols there are. `below`: only what lies in that symbol; `depth`: so many levels of it, 1 for its members. */
export type SymbolsRequest = {
  readonly ask: 'symbols'
  readonly text: DeskText
  readonly below?: string
  readonly depth?: number
}

/** The text of one symbol; an empty path is the artifact. */
export type SliceRequest = {
  readonly ask: 'slice'
  readonly text: DeskText
  readonly path: string
}

/** What deltas come to. Changes follow one another: each sees what those before it did, also to its own artifact. */
export type PlanRequest = {
  readonly ask: 'plan'
  readonly key: string
  readonly changes: readonly { readonly text: DeskText; readonly deltas: readonly JsonValue[] }[]
  /** All other artifacts: a rename reaches them, and nothing in them may be left without a meaning. */
  readonly project: readonly DeskText[]
}

/** Whether claims go together. `strategy` null: one writer a symbol. */
export type ConflictsRequest = {
  readonly ask: 'conflicts'
  readonly strategy: StrategyTree | null
  readonly claims: readonly ClaimSet[]
}

/** A change that was applied after a plan was made. What the plan of it says is what `PlannedChange` said. */
export type SinceChange = {
  readonly key: string
  /** The hash of the text that its deltas and its claims are of. */
  readonly base: string
  /** Null: it cannot be planned anew, as an undo or what a rename elsewhere brought. */
  readonly deltas: readonly JsonValue[] | null
  readonly claims: ClaimSet
  /** Of that text. */
  readonly splices: readonly Splice[]
  /** From the text that it was applied to, to what that became. */
  readonly steps: readonly EventStep[]
}

/** One artifact of a plan that is applied. */
export type ComposePart = {
  readonly base: DeskText
  readonly now: DeskText
  /** From the base to now, in their order. */
  readonly since: readonly SinceChange[]
  readonly deltas: readonly JsonValue[] | null
  readonly claims: ClaimSet
  /** From the base to what was planned. */
  readonly steps: readonly EventStep[]
}

/** What a plan comes to on what there is now. All artifacts of a plan go together: a rename in one is held against its uses in another. */
export type ComposeRequest = {
  readonly ask: 'compose'
  readonly key: string
  readonly strategy: StrategyTree | null
  readonly parts: readonly ComposePart[]
  readonly project: readonly ProjectText[]
}

/** A change of the past, with the texts around it. */
export type PastChange = {
  readonly seq: number
  readonly before: string
  readonly after: string
  readonly steps: readonly EventStep[]
  /** The `seq` of the change whose inverse this one is; null: none. */
  readonly undoes: number | null
}

export type UndoPart = {
  readonly now: DeskText
  /** From the first change that has to be known (see `listReplayed`) to the last one, in their order. */
  readonly past: readonly PastChange[]
  readonly seq: number
}

export type UndoRequest = {
  readonly ask: 'undo'
  readonly key: string
  readonly parts: readonly UndoPart[]
  readonly project: readonly DeskText[]
}

export type MergePart = {
  readonly base: DeskText
  readonly ours: DeskText
  readonly theirs: DeskText
}

export type MergeRequest = {
  readonly ask: 'merge'
  readonly key: string
  readonly parts: readonly MergePart[]
  readonly project: readonly DeskText[]
}

/** What is different. Null: it was not there, or is not there any more. */
export type CompareRequest = {
  readonly ask: 'compare'
  readonly before: DeskText | null
  readonly after: DeskText | null
}

export type DeskRequest =
  | SymbolsRequest
  | SliceRequest
  | PlanRequest
  | ConflictsRequest
  | ComposeRequest
  | UndoRequest
  | MergeRequest
  | CompareRequest
