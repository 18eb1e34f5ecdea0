/** The library: what a team imports. */

export type { Policy, PolicyAnswer, PolicyInput } from 'rubicon-kernel'
export {
  type Act,
  createAnthropicProvider,
  createGoogleProvider,
  createMaskedProvider,
  createModelAuditor,
  createModelGuard,
  createObservability,
  createOpenAiProvider,
  createRuntime,
  createScriptedProvider,
  createXGrammarEngine,
  type Flow,
  type FlowProposal,
  type HttpManifestOptions,
  type HttpProviderOptions,
  loadPolicy,
  logNotifier,
  type ModelAdviserOptions,
  narrativeGuard,
  type Observability,
  type ObservabilityOptions,
  type OpenAiOptions,
  openHttpManifest,
  type RetryOptions,
  RubiconError,
  type Runtime,
  type RuntimeArtifacts,
  type RuntimeOptions,
  type RuntimePart,
  type RuntimePlace,
  recordModel,
  replayModel,
  retryModel,
  type Script,
  type ScriptedOptions,
  type ScriptedReply,
  type WebhookOptions,
  webhookNotifier,
} from './compose.ts'
export { endFailedProgram } from './end-failed-program.ts'
export type { DecidedBy, DecidedEscalation } from './engine/approve/decide.ts'
export type {
  EscalationFilter,
  EscalationSummary,
  EscalationView,
} from './engine/approve/list.ts'
export type { Artifact, Indexed } from './engine/context/artifact.ts'
export type { Explained, FlowExplanation } from './engine/context/explain.ts'
export type { ReliedFact } from './engine/context/relied-context.ts'
export type { ActRequest } from './engine/decide/act.ts'
export type { Generation, GenerationIo, GenerationRequest } from './engine/generate/generate.ts'
export type { MonitorReport, MonitorStatus, Swept } from './engine/monitors/sweep.ts'
export type { Trip } from './engine/monitors/trip.ts'
export type { Observation, Observed } from './engine/observe/observe.ts'
export { readings } from './engine/telemetry/readings.ts'
export type { CedarText, PolicyForm, TypeScriptPolicy } from './policies/policy-form.ts'
export type { AdviserBudget, AskedModel, AskModel, ModelQuestion } from './ports/adviser-model.ts'
export {
  type Capability,
  type Effect,
  type EffectIo,
  NotApplied,
  type PreviewRow,
  type ProbeAnswer,
} from './ports/capability.ts'
export type {
  DecodeRequest,
  Decoder,
  MaskEngine,
  MaskedProviderOptions,
  TokenMask,
  TokenModel,
  Vocabulary,
} from './ports/decoder.ts'
export type { DeclaredSource, SourceReading } from './ports/fact-source.ts'
export type { ManifestSource } from './ports/manifest-source.ts'
export {
  ModelFailure,
  type ModelFailureCode,
  type ModelIo,
  type ModelMessage,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type ModelTool,
  type ModelToolCall,
  type ModelUsage,
  type ReadModelKey,
} from './ports/model.ts'
export type { Notice, Notifier } from './ports/notifier.ts'
export type { Reading } from './ports/reading.ts'
export type {
  AuditedStep,
  AuditFinding,
  AuditVerdict,
  SemanticAuditor,
} from './ports/semantic-auditor.ts'
export type { GuardFinding, GuardInput, SoftGuard } from './ports/soft-guard.ts'
export type { Telemetry } from './ports/telemetry.ts'
export type { LoadTokenizer, Tokenizer } from './ports/tokenizer.ts'
