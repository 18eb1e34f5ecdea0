/** Artifacts, as others import them. */
export { checkReads } from './claims/check-reads.ts'
export { type Claimant, claimDelta, claimDeltas, claimPlan } from './claims/claim-delta.ts'
export { compareSymbols, type SymbolChange, type SymbolPart } from './compare/compare-symbols.ts'
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
export { type DeltaFormProblem, parseDeltas } from './delta/parse-delta.ts'
export type { DeltaProblem, Plan, PlanResult } from './delta/plan.ts'
export { planDelta } from './delta/plan-delta.ts'
export { type ListOptions, type ListPlan, type PlanStep, planDeltas } from './delta/plan-deltas.ts'
export { type BinaryPlan, planPutBinary } from './delta/plan-put-binary.ts'
export { planSites } from './delta/plan-rename.ts'
export { findKnownSecret } from './delta/secret-forms.ts'
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
export { FORMATS, findFormat, MERGED_FORMATS } from './formats/formats.ts'
export type { RequirementExample } from './formats/markdown/read-examples.ts'
export { type Requirement, readRequirements } from './formats/markdown/read-requirements.ts'
export { listDangling } from './formats/markdown/references.ts'
export type { ExportLink, ImportLink, ModuleLinks, WholeLink } from './formats/module-links.ts'
export { decodeBytes, parseBytes, type ReadProblem } from './formats/parse-bytes.ts'
export type { ValueNotation, ValuePlace } from './formats/value-notation.ts'
export { createGitMergeLines, GitMergeError } from './git/merge-file.ts'
export { type MergedFile, type MergeFiles, mergeFiles } from './git/merge-files.ts'
export { ARTIFACT_LIMITS } from './limits.ts'
export { toRootHolder } from './merge/holder.ts'
export { listChanges, type SideChange } from './merge/list-changes.ts'
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
export type { ExternalMention, ExternalModule, FindExternal } from './project/external-module.ts'
export { findUses } from './project/find-uses.ts'
export { type ArtifactHash, hashArtifacts } from './project/hash-project.ts'
export { listStale, type StaleSymbol } from './project/list-stale.ts'
export { buildModuleGraph, type ModuleEdge, type ModuleGraph } from './project/module-graph.ts'
export {
  type ProjectPlan,
  type ProjectProblem,
  type ProjectTarget,
  planProjectRename,
} from './project/plan-project-rename.ts'
export {
  type ChangeSet,
  createProject,
  type Project,
  type ProjectPorts,
  type ProjectTexts,
  type Resolved,
} from './project/project.ts'
export { type ExportTarget, resolveExport } from './project/resolve-export.ts'
export { findSemanticConflicts, type SemanticConflict } from './project/semantic-conflicts.ts'
export { type IndexAnswer, type IndexedSymbol, SymbolIndex } from './project/symbol-index.ts'
export { checkRef, createRef, type RefProblem, type SymbolRef } from './project/symbol-ref.ts'
export type { Use, UseRole, Uses } from './project/use.ts'
export type { Span } from './text/span.ts'
export { applySplices, type Splice, sortSplices } from './text/splice.ts'
export {
  type DefinitionRule,
  hashContent,
  hashDefinition,
  hashHeader,
} from './tree/definition-hash.ts'
export { findSymbol, type TargetProblem } from './tree/find-symbol.ts'
export type { ParsedText, ParseProblem, ParseResult } from './tree/parsed.ts'
export type { Container, MemberOrder, SymbolNode } from './tree/symbol-node.ts'
