/** The law, as others import it. Named exports, by folder. */

export { assert, unreachable } from './assert.ts'

// canonical: bytes
export {
  type Address,
  address,
  addressDomain,
  addressOfBytes,
  addressOfText,
  isAddress,
} from './canonical/address.ts'
export {
  base64,
  concat,
  equalBytes,
  hex,
  unbase64,
  unhex,
  utf8,
  utf8Text,
} from './canonical/bytes.ts'
export { checkJson, checkMessage } from './canonical/check-json.ts'
export {
  addDecimal,
  compareDecimal,
  type Decimal,
  decimalOf,
  decimalText,
  isMultipleOf,
  magnitude,
  multiplyDecimal,
  parseDecimal,
} from './canonical/decimal.ts'
export { payloadType, preAuthEncoding } from './canonical/dsse.ts'
export { dfidFrom, isDfid, isIdentifier } from './canonical/identifier.ts'
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
export { canonicalBytes, canonicalText } from './canonical/write-json.ts'

// compile: the ten stages
export { approvedDigest, dispatchDeadline, intentDigest } from './compile/10-emission.ts'
export { COMPILE_STAGES, type CompileObserver, compile } from './compile/compile.ts'
export {
  checkDispatch,
  DISPATCH_CHECKS,
  type DispatchCheck,
  type DispatchInput,
  driftReport,
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
  StateFact,
  WorldFact,
  WritFact,
} from './compile/facts.ts'
export {
  type Addressed,
  addressed,
  COMPILER_VERSION,
  type CompileInput,
  factView,
  type Readers,
  type Rules,
} from './compile/input.ts'
// execution: effects and outcomes
export { fits, type LockHold, lockRefusal } from './compile/lock-refusal.ts'
export { type Rechecked, recheck, recheckedStages, recheckUndo } from './compile/recheck.ts'
export {
  acceptanceHash,
  type HeldRules,
  isBlocking,
  isUpgradeAlone,
  type RulesChange,
  type RulesStanding,
  rulesDifference,
  rulesStanding,
  standsAt,
} from './compile/rules-difference.ts'
export { policyTexts, ruleSet, rulesHash } from './compile/rules-hash.ts'
export { rulesRefusal } from './compile/rules-in-force.ts'
export { amountsSentence, type ShortRow, shortDetails } from './compile/short-amounts.ts'
export { unnarrowed } from './compile/unnarrowed.ts'
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
export { chunkText } from './context/chunk-text.ts'
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
export { acceptsSchema } from './context/schema.ts'
export {
  type IndexedText,
  type RankedChunk,
  rankChunks,
  type SearchTotals,
  searchTerms,
  type WordHit,
  wordsOf,
} from './context/search.ts'
export { CONTEXT_SCHEMA, type Snapshot, sealSnapshot } from './context/snapshot.ts'
export { type WorkingContext, workingContext } from './context/working-context.ts'
// contract: what an agent may do
export { type ActiveHours, parseActiveHours } from './contract/active-hours.ts'
export { type AgentBudget, agentBudget, windowEnd, windowIndex } from './contract/agent-budget.ts'
export { type AgentState, agentState } from './contract/agent-state.ts'
export { allowedIn, appliesTo, boundOf, envelopeFor, resourcesFor } from './contract/applies.ts'
export type {
  AuthorityLevel,
  ContextDeclaration,
  Contract,
  Limit,
  Role,
  SilenceWatchdog,
} from './contract/contract.ts'
export { contractHash } from './contract/contract-hash.ts'
export { contractPatterns } from './contract/contract-patterns.ts'
export { contractWidening } from './contract/contract-widening.ts'
export { countedAs } from './contract/counted-as.ts'
export {
  type HierarchyProblem,
  hierarchyProblem,
  leadsTo,
  type ParentOf,
} from './contract/hierarchy.ts'
export { isInForce } from './contract/in-force.ts'
export {
  type InstanceProblem,
  type InstanceRequest,
  instanceContract,
} from './contract/instance.ts'
export type { AgentStatus, LifecycleActor } from './contract/lifecycle.ts'
export { type AgentKind, type Move, mayMove, moveProblem } from './contract/lifecycle-machine.ts'
export { type Mission, missionHash, missionOf } from './contract/mission.ts'
export { type ContractProblem, parseContract } from './contract/parse-contract.ts'
export { matchesPattern, matchesPrefix, prefixCovers, type Regex } from './contract/pattern.ts'
export { byPriority, outranks, type Ranked } from './contract/priority.ts'
export { checkResourceScopes } from './contract/resource-scope.ts'
export { type Subscription, subscriptionsOf, type WakeCondition } from './contract/subscription.ts'
export { unansweredRules } from './contract/unanswered.ts'
export { unenforced } from './contract/unenforced.ts'
// escalation: what somebody else decides
export { acknowledgementOf, subjectOf } from './escalation/acknowledgement.ts'
export {
  type Admission,
  type AskedBefore,
  admitEscalation,
  askedTrigger,
  failureTrigger,
  pauseRefusal,
} from './escalation/admission.ts'
export { ancestorAbove, type Climbing, nearestAncestor } from './escalation/ancestors.ts'
export {
  type ApprovalBody,
  type ApprovalPayload,
  approvalBody,
  expiryBody,
} from './escalation/approval.ts'
export {
  DECISIONS,
  type DecisionWord,
  type EscalationDecision,
  type Modification,
  parseDecision,
  parseModification,
} from './escalation/decision.ts'
export { dispositionOf, escalatedDisposition } from './escalation/disposition.ts'
export { escalationAt, escalationPath, isEscalationPath } from './escalation/escalation-path.ts'
export {
  type AgentPast,
  type Exposure,
  type Impact,
  type ImpactFinding,
  judgeImpact,
  NO_PAST,
} from './escalation/impact.ts'
export {
  asTheyCount,
  type Counted,
  type Decider,
  type DecisionFacts,
  judgeDecision,
  sayOf,
} from './escalation/judge-decision.ts'
export { type JudgedModification, modificationDigest } from './escalation/modification.ts'
export { objectOf } from './escalation/object.ts'
export { quotedText } from './escalation/quoted-text.ts'
export {
  agentOfChannel,
  askedChannels,
  channelOf,
  channelTo,
  type EscalationKind,
  type EscalationQueue,
  type EscalationRequest,
  passedOn,
  peopleChannel,
  queueOf,
  quorumOf,
  readBy,
  requestTimes,
  toldChannels,
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
  idempotencyKey,
  idempotencyKeyOfText,
  paramsFingerprint,
  paramsFingerprintOfText,
} from './execution/idempotency.ts'
export type { ExecutionIntent, IntentBody, SignedIntent } from './execution/intent.ts'
export { type IntentText, intentWithId, signedIntentText } from './execution/intent-text.ts'
export { EXECUTION_STATUSES, type ExecutionStatus } from './execution/outcome.ts'
export { isSettled, mayBecome } from './execution/outcome-machine.ts'
export {
  backoffMs,
  judgeProbe,
  keyEndMs,
  nextProbeMs,
  type ProbeFinding,
  type Resolution,
  resolveUncertain,
  type Uncertain,
} from './execution/reconcile.ts'
// flow: decision flows
export {
  type Accepts,
  acceptsProblem,
  isAccepted,
  type WidenedLabel,
} from './fact/accept.ts'
export { FACT_LABELS, type FactLabel, ranksAtLeast } from './fact/label.ts'
export {
  claimedPattern,
  claimPath,
  drawdownPath,
  type FactOwner,
  NO_SOURCES,
  ownerOf,
  type Sources,
} from './fact/owner.ts'
export {
  type FactSource,
  parseFactSource,
  SOURCE_LABELS,
  type SourceLabel,
} from './fact/source.ts'
export { FLOW_STATES, type FlowState, type FlowTag, OPEN_FLOW_STATES } from './flow/flow.ts'
export { authorityLost, type Ending, govern } from './flow/governor.ts'
export { isPath, mayFollow } from './flow/machine.ts'
export { isSilent, type LocalTime, type Silence } from './flow/silence.ts'
export { exhausted, leastGranted, parseUsage } from './flow/usage.ts'
export { wakes } from './flow/wake.ts'
// jit: what moved since the agent looked
export { checkDrift, type DriftFinding } from './jit/check.ts'
export {
  type DriftInput,
  type FieldReport,
  type Moved,
  measureDrift,
  type Observed,
} from './jit/drift.ts'
export { type Bound, boundsOf, type FieldKind, type JitField, uncheckable } from './jit/envelope.ts'
export { jitFields } from './jit/fields.ts'
export {
  KEY_PURPOSES,
  type KeyFact,
  type KeyPurpose,
  type KeyRecord,
  type Signature,
  type SignatureFact,
  type Signed,
  speaksFor,
} from './keys/key.ts'
// keys: who signs
export {
  afterAuthority,
  atAuthority,
  createKeySet,
  foldKeys,
  isCompromisedAt,
  type KeyPosition,
  type KeySet,
  keyAfter,
  keyCounts,
  keyIdOf,
} from './keys/key-set.ts'
export { hasSmallOrderR, publicKeyProblem } from './keys/weak-point.ts'
// ledger: the record
export { classOfAgent, isInstance, statusOfAgent } from './ledger/agent-status.ts'
export {
  type Authority,
  currentContract,
  type DeployedContract,
  type DeployedMonitor,
  foldAuthority,
  keyInUse,
  NO_AUTHORITY,
  namesContract,
  pinnedContract,
  shownContract,
} from './ledger/authority.ts'
export {
  isAuthorityKind,
  type LinkProblem,
  linkProblems,
  placeProblem,
  takesFlows,
} from './ledger/chain.ts'
export { contractOfClass } from './ledger/contract-of-class.ts'
export { contractTurn } from './ledger/contract-turn.ts'
export {
  AUTHORITY,
  ENTRY_KINDS,
  type Entry,
  type EntryDraft,
  type EntryKind,
  type Envelope,
  ERASURE,
  entryId,
  envelopeText,
  type Head,
  isSend,
  leafInput,
  MAIN,
  PROTOCOL,
  PROTOCOL_VERSION,
  payloadHash,
  sealEntry,
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
  emptyFrontier,
  extendFrontierAll,
  type Frontier,
  frontierRoot,
} from './ledger/frontier.ts'
export { verifyConsistency, verifyInclusion } from './ledger/inclusion.ts'
export { leafHash, nodeHash, treeRoot } from './ledger/merkle.ts'
export type { MonitorBody, MonitorTripPayload } from './ledger/monitor-payload.ts'
export {
  type Checkpoint,
  checkpointBody,
  formatNote,
  type Note,
  type NoteSignature,
  noteKeyId,
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
  consistencyProof,
  inclusionProof,
  type NodeReader,
  nodeReaderOverLeaves,
} from './ledger/proofs.ts'
export {
  countingHashes,
  countsUntil,
  foldCapability,
  foldRules,
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
  emptyTree,
  extendTree,
  TILE_LEAVES,
  type TiledTree,
  tiledRoot,
  treeOfTiles,
} from './ledger/tiled-tree.ts'
export {
  batchAddress,
  type Certified,
  certifiedProblem,
  type HeadBody,
  type HeadCertificate,
  type HeadedTree,
  type HeadTrust,
  headBody,
  headKeyId,
  parseHeadText,
  parseSealText,
  type SealBody,
  type SealedBatch,
  sealBody,
  signedBytes,
  type TreeSize,
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
  type MonitorInForce,
  monitorHash,
  monitorsInForce,
} from './monitor/monitors-in-force.ts'
export { parseMonitor } from './monitor/parse-monitor.ts'
export { createReader, type Sample, sourcesOf, watchedText } from './monitor/sample.ts'
export { parseSource, type Source } from './monitor/source.ts'
export { thresholdMonitor } from './monitor/threshold-name.ts'
export { type MonitorBreach, type MonitorVerdict, RollingWindow } from './monitor/window.ts'
// person: who is one and the same, whatever they are called where
export { type Identity, identityCommitment, identityKey } from './person/identity.ts'
export {
  answeringPersons,
  type ContractPersons,
  foldPerson,
  identityName,
  inheritedPersons,
  isSamePerson,
  type LinkedIdentity,
  NO_PERSONS,
  NOBODY,
  PERSON_PREFIX,
  type PersonBody,
  type PersonPayload,
  type Persons,
  type PersonsDraft,
  personIn,
  personLinked,
} from './person/person.ts'
export {
  isSameName,
  personNameProblem,
  RESERVED_NAMES,
  RESERVED_PREFIXES,
} from './person/person-name.ts'

// policy: rules on top
export { policyTrigger, tooCostly } from './policy/evaluate.ts'
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
export { type EvidenceInput, evidenceHash } from './proof/evidence.ts'
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
  lackedMembers,
} from './proposal/complete-proposal.ts'
export { parseProposal } from './proposal/parse-proposal.ts'
export {
  type Located,
  type Pointer,
  parsePointer,
  pointerFor,
  pointerText,
  resolvePointer,
} from './proposal/pointer.ts'
export type { PolicyProposal, ResourceClaim } from './proposal/proposal.ts'
export {
  isReserved,
  needsListing,
  passesMaintenance,
  RESERVED_KINDS,
} from './proposal/reserved-kind.ts'
export { acceptsVersion, POLICY_SCHEMA_VERSION } from './proposal/schema-version.ts'

export {
  isReasonCode,
  precedence,
  REASON_CODES,
  REASONS,
  type Reason,
  type ReasonCode,
} from './reason.ts'
export { err, type Failure, ok, type Result } from './result.ts'

// saga: half a job
export { choiceAt, choicePath, choiceSaidPath } from './saga/choice-path.ts'
export { ALERT_HUMAN, capabilityMenu, REVERT } from './saga/menu.ts'
export { offeredChoices, type Plan, planCompensation, planUndo } from './saga/plan.ts'
export type { SagaFact, SagaStanding, SagaStep } from './saga/saga.ts'
export { type UndoInput, undoIntent } from './saga/undo-intent.ts'
export { isUndoStep, undoStep } from './saga/undo-step.ts'

// world: what the ledger says is so
export { applyDelta } from './world/apply.ts'
export { type Delta, type DeltaOp, parseDelta } from './world/delta.ts'
export type { WorldLeaf } from './world/erased-leaves.ts'
export { createWorld, type World } from './world/fold.ts'
export { leafOf, type Resource, resourceKey, resourceLeaf, resourceName } from './world/resource.ts'
export {
  branchHash,
  decodeTrieNode,
  encodeTrieNode,
  type PageReader,
  type TrieNode,
  triePrefixes,
  trieRoot,
  updateTrie,
} from './world/trie.ts'

// writ: authority that narrows
export { type AttenuationRequest, attenuateWrit } from './writ/attenuate.ts'
export { widening } from './writ/attenuation.ts'
export { addCost, budgetText, budgetUnits, exceeds, grantedUnits } from './writ/budget.ts'
export { type CeilingFlag, ceilingProblem, neededCeiling } from './writ/effect-ceiling.ts'
export { type IssueOptions, writBodyFromContract } from './writ/issue.ts'
export { parseWrit, parseWritBody, type WritProblem } from './writ/parse-writ.ts'
export { scopeCovers } from './writ/scope.ts'
export type { Budget, EffectCeiling, Writ, WritBody, WritScope } from './writ/writ.ts'
export { writId } from './writ/writ-id.ts'
