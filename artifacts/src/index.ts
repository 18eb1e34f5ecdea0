/** Artifacts, as others import them. */
export { checkReads } from './claims/check-reads.ts'
export { type Claimant, claimDelta, claimDeltas, claimPlan } from './claims/claim-delta.ts'
export type {
  BatchEntry,
  BatchProblem,
  ComposedEntry,
  ComposedPlan,
  ComposeOptions,
  ComposeResult,
} from './compose/batch.ts'
export { composeDeltas } from './compose/compose-deltas.ts'
export type { Anchor, Delta, DeltaOp } from './delta/delta.ts'
export { DeltaHistory, recordList } from './delta/delta-history.ts'
export type { FindSecret } from './delta/find-secret.ts'
export type { DeltaProblem, Plan, PlanResult } from './delta/plan.ts'
export { planDelta } from './delta/plan-delta.ts'
export { type ListOptions, type ListPlan, type PlanStep, planDeltas } from './delta/plan-deltas.ts'
export { planSites } from './delta/plan-rename.ts'
export type { Format, Reference } from './formats/format.ts'
export type {
  FormatNames,
  ImportOrigin,
  ModuleExport,
  ModuleExports,
  NameSite,
  SymbolSites,
} from './formats/format-names.ts'
export { FORMATS, findFormat } from './formats/formats.ts'
export { ARTIFACT_LIMITS } from './limits.ts'
export type { Span } from './text/span.ts'
export { applySplices, type Splice } from './text/splice.ts'
export {
  type DefinitionRule,
  hashContent,
  hashDefinition,
  hashHeader,
} from './tree/definition-hash.ts'
export type { ParsedText, ParseProblem, ParseResult } from './tree/parsed.ts'
export type { Container, MemberOrder, SymbolNode } from './tree/symbol-node.ts'
