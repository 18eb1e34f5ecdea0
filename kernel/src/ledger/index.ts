/** The record: entries, chains, the tree over them, checkpoints, and the authority folded from them. */
export { findAgentClass, findAgentStatus, isInstance } from './agent-status.ts'
export {
  type Authority,
  type DeployedContract,
  findCurrentContract,
  findPinnedContract,
  findShownContract,
  foldAuthority,
  isContractNamed,
  isKeyInUse,
  NO_AUTHORITY,
} from './authority.ts'
export {
  findLinkProblems,
  findPlaceProblem,
  isAuthorityKind,
  isFlowTrajectory,
  type LinkProblem,
} from './chain.ts'
export { findClassContract } from './contract-of-class.ts'
export { findContractTurn } from './contract-turn.ts'
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
} from './entry.ts'
export type {
  AdvicePayload,
  ClosurePayload,
  EvidencePayload,
  ExplanationPayload,
  GenerationPayload,
  OpinionPayload,
  RefreshPayload,
  ReviewPayload,
  SagaPayload,
  SecurityEventPayload,
  SubscriptionPayload,
  UsagePayload,
} from './evidence-payload.ts'
export { computeFrontierRoot, emptyFrontier, extendFrontierAll } from './frontier.ts'
export { verifyConsistency, verifyInclusion } from './inclusion.ts'
export { computeTreeRoot, hashLeaf } from './merkle.ts'
export type { MonitorTripPayload } from './monitor-payload.ts'
export {
  type Checkpoint,
  computeNoteKeyId,
  formatCheckpointBody,
  formatNote,
  type Note,
  type NoteSignature,
  parseCheckpoint,
  parseNote,
} from './note.ts'
export type { InstanceUntil, Occasion } from './occasion.ts'
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
  KeyBody,
  KeyPayload,
  LifecyclePayload,
  OpenedBy,
  PendingApprovalPayload,
  PolicyPayload,
  RejectionPayload,
  RestoreAnchor,
  RevocationPayload,
  RootPayload,
  SettlePayload,
  SourcePayload,
  WritPayload,
} from './payload.ts'
export {
  buildConsistencyProof,
  buildInclusionProof,
  createNodeReader,
  type NodeReader,
} from './proofs.ts'
export {
  findCountingEnd,
  foldCapability,
  foldRules,
  listCountingHashes,
  type RecordedHash,
  type RecordedRules,
} from './recorded-rules.ts'
export { foldSource, type SourcesDraft } from './recorded-sources.ts'
export type { ResendBody, ResendPayload } from './resend-payload.ts'
export type { CapabilityRecord, PolicyRecord, RuleSet, RulesBody } from './rules-payload.ts'
export {
  buildTiledTree,
  computeTiledRoot,
  emptyTree,
  extendTree,
  TILE_LEAVES,
  type TiledTree,
} from './tiled-tree.ts'
export {
  buildHeadBody,
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
} from './tree-head.ts'
export { formatVerifierKey, parseVerifierKey } from './verifier-key.ts'
