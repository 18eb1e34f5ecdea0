/** Artifacts, as others import them. */
export type { Anchor, Delta, DeltaOp } from './delta/delta.ts'
export type { DeltaProblem, Plan, PlanResult } from './delta/plan.ts'
export { planDelta } from './delta/plan-delta.ts'
export type { Format } from './formats/format.ts'
export { FORMATS, findFormat } from './formats/formats.ts'
export { createGitMergeLines, GitMergeError } from './git/merge-file.ts'
export { type MergedFile, type MergeFiles, mergeFiles } from './git/merge-files.ts'
export { ARTIFACT_LIMITS } from './limits.ts'
export { toRootHolder } from './merge/holder.ts'
export { listChanges, type SymbolChange } from './merge/list-changes.ts'
export { listEdits, type SymbolEdit } from './merge/list-edits.ts'
export {
  DEFAULT_MARKERS,
  type MarkerStyle,
  type MergeConflict,
  type MergeInput,
  type MergeLines,
  type MergeResult,
} from './merge/merge.ts'
export { mergeTexts } from './merge/merge-texts.ts'
export type { Span } from './text/span.ts'
export { applySplices, type Splice, sortSplices } from './text/splice.ts'
export type { ParsedText, ParseProblem, ParseResult } from './tree/parsed.ts'
export type { Container, MemberOrder, SymbolNode } from './tree/symbol-node.ts'
