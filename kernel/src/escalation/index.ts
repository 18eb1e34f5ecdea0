/** What somebody else decides: requests, impact, decisions, approvals. */
export { formatAcknowledgement } from './acknowledgement.ts'
export {
  admitEscalation,
  buildAskedTrigger,
  findFailureTrigger,
  findPauseRefusal,
} from './admission.ts'
export { findAncestorAbove, findNearestAncestor } from './ancestors.ts'
export {
  type ApprovalBody,
  type ApprovalPayload,
  buildApprovalBody,
  buildExpiryBody,
} from './approval.ts'
export {
  DECISIONS,
  type DecisionWord,
  type EscalationDecision,
  type Modification,
  parseDecision,
  parseModification,
} from './decision.ts'
export { deriveDisposition, deriveEscalatedDisposition } from './disposition.ts'
export { isEscalationPath, parseEscalationPath, toEscalationPath } from './escalation-path.ts'
export {
  type AgentPast,
  type Exposure,
  type Impact,
  type ImpactFinding,
  judgeImpact,
  NO_PAST,
} from './impact.ts'
export {
  type Counted,
  type Decider,
  type DecisionFacts,
  isSelfApproval,
  judgeDecision,
  resolveDecisionPersons,
  sayOf,
} from './judge-decision.ts'
export { computeModificationDigest, type JudgedModification } from './modification.ts'
export { describeObject, type ObjectNaming, UNKNOWN_NAMING } from './object.ts'
export { buildOverride } from './override.ts'
export { quoteText } from './quoted-text.ts'
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
  type Quorum,
  readBy,
  requestTimes,
  toChannel,
  toPeopleChannel,
} from './request.ts'
