/** What agents say, and what they are answered. */
export type { Answer, AnswerOutcome, Feedback } from './answer.ts'
export {
  completeProposal,
  FLOW_MEMBERS,
  type FlowMember,
  type FlowMembers,
  listMissingMembers,
} from './complete-proposal.ts'
export {
  computeEvidenceHash,
  hashEvidenceContract,
  toEvidenceRules,
} from './evidence-hash.ts'
export { parseProposal } from './parse-proposal.ts'
export {
  convertDottedName,
  formatPointer,
  type Pointer,
  parsePointer,
  resolvePointer,
} from './pointer.ts'
export {
  findLooseProof,
  isProofCarrying,
  type ProofCarryingIntent,
  toProofCarryingIntent,
  toProvenProposal,
  toSignedText,
} from './proof-carrying-intent.ts'
export type { PolicyProposal } from './proposal.ts'
export {
  isAboutEvent,
  isAllowedInMaintenance,
  isListingNeeded,
  isReserved,
  RESERVED_KINDS,
} from './reserved-kind.ts'
export { isVersionAccepted, POLICY_SCHEMA_VERSION } from './schema-version.ts'
