/** Artifacts, as others import them. */
export type { Anchor, Delta, DeltaOp } from './delta/delta.ts'
export type { DeltaProblem, Plan, PlanResult } from './delta/plan.ts'
export { planDelta } from './delta/plan-delta.ts'
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
export type { ParsedText, ParseProblem, ParseResult } from './tree/parsed.ts'
export type { Container, MemberOrder, SymbolNode } from './tree/symbol-node.ts'
