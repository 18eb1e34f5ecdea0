/** Artifacts, as others import them. */
export { checkSchema, type JudgeValue, type ValueProblem } from './delta/check-schema.ts'
export type { Anchor, Delta, DeltaOp } from './delta/delta.ts'
export type { DeltaProblem, Plan, PlanResult } from './delta/plan.ts'
export { planDelta } from './delta/plan-delta.ts'
export { type BinaryPlan, planPutBinary } from './delta/plan-put-binary.ts'
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
export type { Format } from './formats/format.ts'
export { FORMATS, findFormat } from './formats/formats.ts'
export type { RequirementExample } from './formats/markdown/read-examples.ts'
export { type Requirement, readRequirements } from './formats/markdown/read-requirements.ts'
export { listDangling } from './formats/markdown/references.ts'
export { decodeBytes, parseBytes, type ReadProblem } from './formats/parse-bytes.ts'
export type { ValueNotation, ValuePlace } from './formats/value-notation.ts'
export { ARTIFACT_LIMITS } from './limits.ts'
export type { Span } from './text/span.ts'
export { applySplices, type Splice } from './text/splice.ts'
export type { ParsedText, ParseProblem, ParseResult } from './tree/parsed.ts'
export type { Container, MemberOrder, SymbolNode } from './tree/symbol-node.ts'
