/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { AUDIT_QUERY } from './audit-query.ts'
export {
  type Capability,
  type Effect,
  type EffectIo,
  NotApplied,
  type ProbeAnswer,
} from './capability.ts'
export {
  type Channel,
  type ChannelKind,
  type ChannelPlace,
  type ChannelResult,
  type ChannelSettings,
  type ChannelStanding,
  MAIL_SECURITIES,
  NOTICE_KINDS,
  NOTICE_SEVERITIES,
  type NoticeKind,
  type NoticeSeverity,
} from './channel.ts'
export type { Clock } from './clock.ts'
export { CONFIRMED, computeTimeByClock, parseConfirmed } from './confirmed-clock.ts'
export type { RequestComment } from './escalation-record.ts'
export type { DeclaredSource, SourceReading } from './fact-source.ts'
export type { Failpoint } from './failpoint.ts'
export { HeadMismatch } from './head-mismatch.ts'
export type { ManifestSource } from './manifest-source.ts'
export type { ModelPrice, ModelProvider } from './model.ts'
export type { Random } from './random.ts'
export type { RecordBodies, StoredRecord } from './record.ts'
export type { AuditedStep, AuditFinding, SemanticAuditor } from './semantic-auditor.ts'
export { SignerUnavailable } from './signer.ts'
export type { SoftGuard } from './soft-guard.ts'
export {
  type ExecutionFilter,
  type ExecutionRow,
  type FlowFilter,
  type FlowRow,
  type FlowStep,
  type FlowSummary,
  type LeafEntry,
  type Store,
  type StoredCheckpoint,
  type StoredEntry,
  StoreError,
  type StoreErrorCode,
  type TrajectoryHead,
  type Unit,
  type Write,
  type WritRef,
} from './store.ts'
export { hasPassword, isMemoryAddress, isPostgresAddress, redactAddress } from './store-address.ts'
export { describeSkew } from './store-time.ts'
export { runUrgently } from './urgent.ts'
