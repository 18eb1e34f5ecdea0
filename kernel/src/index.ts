/** The law, as others import it. Named exports, by folder. */

export { assert, assertUnreachable } from './assert.ts'

// canonical: bytes
export {
  type Address,
  computeAddress,
  computeAddressOfBytes,
  computeAddressOfText,
  isAddress,
  toAddressDomain,
} from './canonical/address.ts'
export {
  decodeBase64,
  decodeHex,
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  isEqualBytes,
  joinBytes,
} from './canonical/bytes.ts'
export { checkJson, checkMessage } from './canonical/check-json.ts'
export {
  addDecimal,
  compareDecimal,
  type Decimal,
  formatDecimal,
  isMultipleOf,
  multiplyDecimal,
  parseDecimal,
  toDecimal,
  toMagnitude,
} from './canonical/decimal.ts'
export { encodePreAuth, toPayloadType } from './canonical/dsse.ts'
export { isDfid, isIdentifier, mintDfid } from './canonical/identifier.ts'
export { isObject, type JsonObject, type JsonValue } from './canonical/json-value.ts'
export {
  JSON_LIMITS,
  type JsonLimits,
  type JsonProblem,
  parseJson,
} from './canonical/parse-json.ts'
export { hashText, type Sha256 } from './canonical/sha256.ts'
export { shorten } from './canonical/shorten.ts'
export { formatInstant, isExactInstant, parseInstant } from './canonical/time.ts'
export { toCanonicalBytes, toCanonicalText } from './canonical/write-json.ts'

// compile: the ten stages
export {
  computeApprovedDigest,
  computeIntentDigest,
  dispatchDeadline,
} from './compile/10-emission.ts'
export { COMPILE_STAGES, type CompileObserver, compile } from './compile/compile.ts'
export {
  checkDispatch,
  DISPATCH_CHECKS,
  type DispatchCheck,
  type DispatchInput,
  reportDrift,
} from './compile/dispatch-checks.ts'
export type {
  AgentFact,
  AgentWindowFact,
  ApprovalFact,
  AuthFact,
  BudgetFact,
  ClaimFact,
  ContractFact,
  Facts,
  FlowFact,
  InForceFact,
  Position,
  SeenFact,
  WritFact,
} from './compile/facts.ts'
export {
  type Addressed,
  COMPILER_VERSION,
  type CompileInput,
  createFactView,
  type Readers,
  type Rules,
  toAddressed,
} from './compile/input.ts'
// execution: effects and outcomes
export { hasFreeCapacity, type LockHold, lockRefusal } from './compile/lock-refusal.ts'
export { listRecheckedStages, type Rechecked, recheck, recheckUndo } from './compile/recheck.ts'
export {
  compareRules,
  computeRulesStanding,
  type HeldRules,
  hashAcceptance,
  isBlocking,
  isStandingAt,
  isUpgradeAlone,
  type RulesChange,
  type RulesStanding,
} from './compile/rules-difference.ts'
export { buildRuleSet, collectPolicyTexts, hashRules } from './compile/rules-hash.ts'
export { findRulesRefusal } from './compile/rules-in-force.ts'
export { buildShortageDetails, formatAmounts, type ShortRow } from './compile/short-amounts.ts'
export { removeNarrowing } from './compile/unnarrowed.ts'
export type {
  PolicyTraceLine,
  Refusal,
  StageName,
  StageTrace,
  Trace,
  Trigger,
  Verdict,
} from './compile/verdict.ts'
// context: what an agent is shown
export {
  type AssembledContext,
  assembleContext,
  type ContextInput,
  type ContextLimits,
} from './context/assemble.ts'
export { splitIntoChunks } from './context/chunk-text.ts'
export { isDeceiving } from './context/deceiving.ts'
export { escapeControls } from './context/escape-controls.ts'
export type { InjectionFlag } from './context/injection-patterns.ts'
export { isBlank } from './context/is-blank.ts'
export type {
  ArtifactRef,
  ContextBudget,
  DecisionSaid,
  LayerRecord,
  MemoryEntry,
  MemoryRef,
  SessionEvent,
  StoredMemory,
  Trimmed,
} from './context/layers.ts'
export { type Sanitised, sanitise, type TextFlag } from './context/sanitise.ts'
export { isSchemaAccepted } from './context/schema.ts'
export {
  countWords,
  type IndexedText,
  type RankedChunk,
  rankChunks,
  type SearchTotals,
  searchTerms,
  type WordHit,
} from './context/search.ts'
export { isNameReadable, selectReadableState } from './context/select.ts'
export { CONTEXT_SCHEMA, type Snapshot, sealSnapshot } from './context/snapshot.ts'
export { buildWorkingContext, type WorkingContext } from './context/working-context.ts'
// contract: what an agent may do
export { type ActiveHours, parseActiveHours } from './contract/active-hours.ts'
export {
  type AgentBudget,
  computeWindowEnd,
  computeWindowIndex,
  findAgentBudget,
} from './contract/agent-budget.ts'
export { type AgentState, deriveAgentState } from './contract/agent-state.ts'
export {
  getAllowedPatterns,
  getBound,
  isApplicable,
  selectEnvelope,
  selectResources,
} from './contract/applies.ts'
export type {
  AuthorityLevel,
  ContextDeclaration,
  Contract,
  Limit,
  Role,
  SilenceWatchdog,
} from './contract/contract.ts'
export { hashContract } from './contract/contract-hash.ts'
export { listContractPatterns } from './contract/contract-patterns.ts'
export { findContractWidening } from './contract/contract-widening.ts'
export { getCountOwner } from './contract/counted-as.ts'
export {
  findHierarchyProblem,
  type HierarchyProblem,
  hasAncestorOrSelf,
  type ParentOf,
} from './contract/hierarchy.ts'
export { isInForce } from './contract/in-force.ts'
export {
  buildInstanceContract,
  type InstanceProblem,
  type InstanceRequest,
} from './contract/instance.ts'
export type { AgentStatus, LifecycleActor } from './contract/lifecycle.ts'
export { type AgentKind, type Move, mayMove, moveProblem } from './contract/lifecycle-machine.ts'
export { hashMission, type Mission, toMission } from './contract/mission.ts'
export { type ContractProblem, parseContract } from './contract/parse-contract.ts'
export { isPrefixCovering, isPrefixMatch, matchPattern, type Regex } from './contract/pattern.ts'
export { compareByPriority, hasPriorityOver, type Ranked } from './contract/priority.ts'
export { checkResourceScopes } from './contract/resource-scope.ts'
export {
  listSubscriptions,
  type Subscription,
  type WakeCondition,
} from './contract/subscription.ts'
export { findUnansweredRules } from './contract/unanswered.ts'
export { findUnenforcedRules } from './contract/unenforced.ts'
// escalation: what somebody else decides
export { findSubject, formatAcknowledgement } from './escalation/acknowledgement.ts'
export {
  type Admission,
  type AskedBefore,
  admitEscalation,
  buildAskedTrigger,
  findFailureTrigger,
  findPauseRefusal,
} from './escalation/admission.ts'
export { type Climbing, findAncestorAbove, findNearestAncestor } from './escalation/ancestors.ts'
export {
  type ApprovalBody,
  type ApprovalPayload,
  buildApprovalBody,
  buildExpiryBody,
} from './escalation/approval.ts'
export {
  DECISIONS,
  type DecisionWord,
  type EscalationDecision,
  type Modification,
  parseDecision,
  parseModification,
} from './escalation/decision.ts'
export { deriveDisposition, deriveEscalatedDisposition } from './escalation/disposition.ts'
export {
  isEscalationPath,
  parseEscalationPath,
  toEscalationPath,
} from './escalation/escalation-path.ts'
export {
  type AgentPast,
  type Exposure,
  type Impact,
  type ImpactFinding,
  judgeImpact,
  NO_PAST,
} from './escalation/impact.ts'
export {
  type Counted,
  type Decider,
  type DecisionFacts,
  judgeDecision,
  resolveDecisionPersons,
  sayOf,
} from './escalation/judge-decision.ts'
export { computeModificationDigest, type JudgedModification } from './escalation/modification.ts'
export { describeObject } from './escalation/object.ts'
export { quoteText } from './escalation/quoted-text.ts'
export {
  chooseChannel,
  chooseQueue,
  type EscalationKind,
  type EscalationQueue,
  type EscalationRequest,
  findChannelAgent,
  forwardRequest,
  getQuorum,
  listAskedChannels,
  listToldChannels,
  readBy,
  requestTimes,
  toChannel,
  toPeopleChannel,
} from './escalation/request.ts'
export type {
  ArgumentProblem,
  CapabilityDescription,
  CapabilityLaw,
  EffectClass,
  FactView,
  ResourceNeed,
  RiskClass,
} from './execution/capability.ts'
export {
  computeIdempotencyKey,
  computeIdempotencyKeyOfText,
  computeParamsFingerprint,
  computeParamsFingerprintOfText,
} from './execution/idempotency.ts'
export type { ExecutionIntent, IntentBody, SignedIntent } from './execution/intent.ts'
export { formatIntentWithId, formatSignedIntent, type IntentText } from './execution/intent-text.ts'
export { EXECUTION_STATUSES, type ExecutionStatus } from './execution/outcome.ts'
export { isSettled, mayBecome } from './execution/outcome-machine.ts'
export {
  computeBackoffMs,
  computeKeyEndMs,
  computeNextProbeMs,
  judgeProbe,
  type ProbeFinding,
  type Resolution,
  resolveUncertain,
  type Uncertain,
} from './execution/reconcile.ts'
// flow: decision flows
export {
  type Accepts,
  findAcceptsProblem,
  isAccepted,
  type WidenedLabel,
} from './fact/accept.ts'
export { FACT_LABELS, type FactLabel, isRankedAtLeast } from './fact/label.ts'
export {
  claimPath,
  type FactOwner,
  findClaimedPattern,
  findOwner,
  NO_SOURCES,
  type Sources,
  toDrawdownPath,
} from './fact/owner.ts'
export {
  type FactSource,
  parseFactSource,
  SOURCE_LABELS,
  type SourceLabel,
} from './fact/source.ts'
export type { StateFact } from './fact/state-fact.ts'
export { FLOW_STATES, type FlowState, type FlowTag, OPEN_FLOW_STATES } from './flow/flow.ts'
export { type Ending, govern, isAuthorityLost } from './flow/governor.ts'
export { isPath, mayFollow } from './flow/machine.ts'
export { isSilent, type LocalTime, type Silence } from './flow/silence.ts'
export { computeLeastGranted, listExhausted, parseUsage } from './flow/usage.ts'
export { isWakingChange } from './flow/wake.ts'
// jit: what moved since the agent looked
export { checkDrift, type DriftFinding } from './jit/check.ts'
export {
  type DriftInput,
  type FieldReport,
  type Moved,
  measureDrift,
  type Observed,
} from './jit/drift.ts'
export {
  type Bound,
  type FieldKind,
  type JitField,
  listBounds,
  listUncheckable,
} from './jit/envelope.ts'
export { resolveJitFields } from './jit/fields.ts'
export {
  formatHandshake,
  type HandshakeMoment,
  type HandshakePlace,
  type HandshakeTerms,
} from './keys/handshake-text.ts'
export {
  isKeyOfAgent,
  KEY_PURPOSES,
  type KeyFact,
  type KeyPurpose,
  type KeyRecord,
  type Signature,
  type SignatureFact,
  type Signed,
} from './keys/key.ts'
// keys: who signs
export {
  applyKeyEntry,
  createKeySet,
  deriveKeyId,
  foldKeys,
  isCompromisedAt,
  isKeyValidAt,
  type KeyPosition,
  type KeySet,
  toPositionAfter,
  toPositionAt,
} from './keys/key-set.ts'
export { findPublicKeyProblem, hasSmallOrderR } from './keys/weak-point.ts'
// ledger: the record
export { findAgentClass, findAgentStatus, isInstance } from './ledger/agent-status.ts'
export {
  type Authority,
  type DeployedContract,
  type DeployedMonitor,
  findCurrentContract,
  findPinnedContract,
  findShownContract,
  foldAuthority,
  isContractNamed,
  isKeyInUse,
  NO_AUTHORITY,
} from './ledger/authority.ts'
export {
  findLinkProblems,
  findPlaceProblem,
  isAuthorityKind,
  isFlowTrajectory,
  type LinkProblem,
} from './ledger/chain.ts'
export { findClassContract } from './ledger/contract-of-class.ts'
export { findContractTurn } from './ledger/contract-turn.ts'
export {
  AUTHORITY,
  computeEntryId,
  ENTRY_KINDS,
  type Entry,
  type EntryDraft,
  type EntryKind,
  type Envelope,
  ERASURE,
  formatEnvelope,
  type Head,
  hashPayload,
  isSend,
  MAIN,
  PROTOCOL,
  PROTOCOL_VERSION,
  sealEntry,
  toLeafInput,
} from './ledger/entry.ts'
export type {
  ClosurePayload,
  EvidencePayload,
  ExplanationPayload,
  OpinionPayload,
  RefreshPayload,
  SagaPayload,
  SecurityEventPayload,
  UsagePayload,
} from './ledger/evidence-payload.ts'
export {
  computeFrontierRoot,
  emptyFrontier,
  extendFrontierAll,
  type Frontier,
} from './ledger/frontier.ts'
export { verifyConsistency, verifyInclusion } from './ledger/inclusion.ts'
export { computeTreeRoot, hashLeaf, hashNode } from './ledger/merkle.ts'
export type { MonitorBody, MonitorTripPayload } from './ledger/monitor-payload.ts'
export {
  type Checkpoint,
  computeNoteKeyId,
  formatCheckpointBody,
  formatNote,
  type Note,
  type NoteSignature,
  parseCheckpoint,
  parseNote,
} from './ledger/note.ts'
export type {
  AcceptedPayload,
  AskedPayload,
  BranchPayload,
  CarryOutPayload,
  ClockAnchor,
  CommitPayload,
  ContractBody,
  ContractPayload,
  DecisionRecord,
  DelegationPayload,
  DispatchPayload,
  ErasedPayload,
  ErasurePayload,
  InstanceUntil,
  KeyBody,
  KeyPayload,
  LifecyclePayload,
  Occasion,
  OpenedBy,
  PendingApprovalPayload,
  PolicyPayload,
  RejectionPayload,
  RestoreAnchor,
  RevocationPayload,
  RootPayload,
  SettlePayload,
  SourceBody,
  SourcePayload,
  WritPayload,
} from './ledger/payload.ts'
export {
  buildConsistencyProof,
  buildInclusionProof,
  createNodeReader,
  type NodeReader,
} from './ledger/proofs.ts'
export {
  findCountingEnd,
  foldCapability,
  foldRules,
  listCountingHashes,
  type RecordedHash,
  type RecordedRules,
} from './ledger/recorded-rules.ts'
export { foldSource, type SourcesDraft } from './ledger/recorded-sources.ts'
export type { ResendBody, ResendPayload } from './ledger/resend-payload.ts'
export type {
  CapabilityBody,
  CapabilityRecord,
  PolicyRecord,
  RuleSet,
  RulesBody,
} from './ledger/rules-payload.ts'
export {
  buildTiledTree,
  computeTiledRoot,
  emptyTree,
  extendTree,
  TILE_LEAVES,
  type TiledTree,
} from './ledger/tiled-tree.ts'
export {
  buildHeadBody,
  type Certified,
  computeBatchAddress,
  deriveHeadKeyId,
  findCertifiedProblem,
  type HeadBody,
  type HeadCertificate,
  type HeadedTree,
  type HeadTrust,
  parseHeadText,
  parseSealText,
  type SealBody,
  type SealedBatch,
  sealBody,
  type TreeSize,
  toSignedBytes,
} from './ledger/tree-head.ts'
export { formatVerifierKey, parseVerifierKey, type VerifierKey } from './ledger/verifier-key.ts'
export { LIMITS } from './limits.ts'
// monitor: rolling windows over what was carried out
export { parseDuration } from './monitor/duration.ts'
export {
  isSampledStatus,
  type Monitor,
  type MonitorWindow,
  type SampledStatus,
  type Statistic,
} from './monitor/monitor.ts'
export {
  hashMonitor,
  listMonitorsInForce,
  type MonitorInForce,
} from './monitor/monitors-in-force.ts'
export { parseMonitor } from './monitor/parse-monitor.ts'
export { createReader, listSources, type Sample, toWatchedText } from './monitor/sample.ts'
export { parseSource, type Source } from './monitor/source.ts'
export { buildThresholdMonitor } from './monitor/threshold-name.ts'
export { type MonitorBreach, type MonitorVerdict, RollingWindow } from './monitor/window.ts'
// person: who is one and the same, whatever they are called where
export { hashIdentity, hashIdentityCommitment, type Identity } from './person/identity.ts'
export {
  type ContractPersons,
  deriveInheritedPersons,
  findLinkedPerson,
  findRegisteredPerson,
  foldPerson,
  getIdentityName,
  isSamePerson,
  type LinkedIdentity,
  listAnsweringPersons,
  NO_PERSONS,
  NOBODY,
  PERSON_PREFIX,
  type PersonBody,
  type PersonPayload,
  type Persons,
  type PersonsDraft,
} from './person/person.ts'
export {
  findPersonNameProblem,
  isSameName,
  RESERVED_NAMES,
  RESERVED_PREFIXES,
} from './person/person-name.ts'
// policy: rules on top
export { describeExcessCost, formatPolicyTrigger } from './policy/evaluate.ts'
export type {
  Policy,
  PolicyAnswer,
  PolicyAsk,
  PolicyDecision,
  PolicyInput,
  PolicySource,
} from './policy/policy.ts'
// proof: what travels
export {
  BUNDLE_FORMAT,
  type Bundle,
  type BundleEntry,
  type BundleEvidence,
  parseBundle,
} from './proof/bundle.ts'
export { type EvidenceInput, hashEvidence } from './proof/evidence.ts'
export { type ExportedEntry, parseExportedEntry } from './proof/exported-entry.ts'
export { LEDGER_FORMAT, type LedgerHeader, parseLedgerHeader } from './proof/ledger-header.ts'
export {
  isErasable,
  PAYLOAD_KINDS,
  type PayloadKind,
  type PayloadOf,
  parsePayload,
  type ReadPayload,
} from './proof/payload-shape.ts'
// proposal: what agents say
export type { Answer, AnswerOutcome, Disposition, Feedback } from './proposal/answer.ts'
export {
  completeProposal,
  FLOW_MEMBERS,
  type FlowMember,
  type FlowMembers,
  listMissingMembers,
} from './proposal/complete-proposal.ts'
export { parseProposal } from './proposal/parse-proposal.ts'
export {
  convertDottedName,
  formatPointer,
  type Located,
  type Pointer,
  parsePointer,
  resolvePointer,
} from './proposal/pointer.ts'
export type { PolicyProposal, ResourceClaim } from './proposal/proposal.ts'
export {
  isAllowedInMaintenance,
  isListingNeeded,
  isReserved,
  RESERVED_KINDS,
} from './proposal/reserved-kind.ts'
export { isVersionAccepted, POLICY_SCHEMA_VERSION } from './proposal/schema-version.ts'
export {
  getPrecedence,
  isReasonCode,
  REASON_CODES,
  REASONS,
  type Reason,
  type ReasonCode,
} from './reason.ts'
export { err, type Failure, ok, type Result } from './result.ts'
// saga: half a job
export { parseChoicePath, toChoicePath, toChoiceSaidPath } from './saga/choice-path.ts'
export { ALERT_HUMAN, buildCapabilityMenu, REVERT } from './saga/menu.ts'
export { listOfferedChoices, type Plan, planCompensation, planUndo } from './saga/plan.ts'
export type { SagaFact, SagaStanding, SagaStep } from './saga/saga.ts'
export { buildUndoIntent, type UndoInput } from './saga/undo-intent.ts'
export { isUndoStep, toUndoStep } from './saga/undo-step.ts'
// world: what the ledger says is so
export { applyDelta } from './world/apply.ts'
export { type Delta, type DeltaOp, parseDelta } from './world/delta.ts'
export type { WorldLeaf } from './world/erased-leaves.ts'
export { createWorld, type World } from './world/fold.ts'
export {
  hashKeyedLeaf,
  hashResourceKey,
  hashResourceLeaf,
  type Resource,
  toResourceName,
} from './world/resource.ts'
export {
  computeTrieRoot,
  decodeTrieNode,
  encodeTrieNode,
  hashBranch,
  listTriePrefixes,
  type PageReader,
  type TrieNode,
  updateTrie,
} from './world/trie.ts'
export type { WorldFact } from './world/world-fact.ts'

// writ: authority that narrows
export { type AttenuationRequest, attenuateWrit } from './writ/attenuate.ts'
export { findWidening } from './writ/attenuation.ts'
export {
  addCost,
  formatBudgetUnits,
  getGrantedUnits,
  listExceeded,
  toBudgetUnits,
} from './writ/budget.ts'
export { type CeilingFlag, deriveNeededCeiling, findMissingCeiling } from './writ/effect-ceiling.ts'
export { buildWritBody, getFlowBudget, type IssueOptions } from './writ/issue.ts'
export { parseWrit, parseWritBody, type WritProblem } from './writ/parse-writ.ts'
export { hasScopeFor } from './writ/scope.ts'
export type { Budget, EffectCeiling, Writ, WritBody, WritScope } from './writ/writ.ts'
export { computeWritId } from './writ/writ-id.ts'
