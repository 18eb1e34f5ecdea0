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
export { checkSchema, type JudgeValue, type ValueProblem } from './delta/check-schema.ts'
export type { Anchor, Delta, DeltaOp } from './delta/delta.ts'
export { DeltaHistory, recordList } from './delta/delta-history.ts'
export type { FindSecret } from './delta/find-secret.ts'
export type { DeltaProblem, Plan, PlanResult } from './delta/plan.ts'
export { planDelta } from './delta/plan-delta.ts'
export { type ListOptions, type ListPlan, type PlanStep, planDeltas } from './delta/plan-deltas.ts'
export { type BinaryPlan, planPutBinary } from './delta/plan-put-binary.ts'
export { planSites } from './delta/plan-rename.ts'
export { type BinaryArtifact, readBinary } from './formats/binary/read-binary.ts'
export { isExternalName, toPackageName } from './formats/external/external-name.ts'
export {
  type ChangedModule,
  type Externals,
  type ExternalUse,
  findLocked,
  listChangedModules,
} from './formats/external/find-locked.ts'
export {
  type LockedModule,
  type LockedModules,
  lockBuiltins,
  readLock,
} from './formats/external/read-lock.ts'
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
export type { RequirementExample } from './formats/markdown/read-examples.ts'
export { type Requirement, readRequirements } from './formats/markdown/read-requirements.ts'
export { listDangling } from './formats/markdown/references.ts'
export { decodeBytes, parseBytes, type ReadProblem } from './formats/parse-bytes.ts'
export type { ValueNotation, ValuePlace } from './formats/value-notation.ts'
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
