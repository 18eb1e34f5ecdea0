export { assert, unreachable } from './assert.ts'
export { address, type Address, addressOfBytes, addressOfText, isAddress } from './canonical/address.ts'
export { hex, unhex, utf8 } from './canonical/bytes.ts'
export { isIdentifier } from './canonical/identifier.ts'
export { type JsonObject, type JsonValue } from './canonical/json-value.ts'
export { hashText, type Sha256 } from './canonical/sha256.ts'
export { formatInstant, parseInstant } from './canonical/time.ts'
export { canonicalText } from './canonical/write-json.ts'
export { type Position, type WorldFact } from './compile/facts.ts'
export { type ExecutionStatus } from './execution/outcome.ts'
export { type FlowState, type FlowTag } from './flow/flow.ts'
export {
  AUTHORITY,
  type Entry,
  type EntryKind,
  type Envelope,
  type Head,
  leafInput,
  MAIN,
  sealEntry,
} from './ledger/entry.ts'
export { type BranchPayload, type CommitPayload } from './ledger/payload.ts'
export { err, ok, type Result } from './result.ts'
export { applyDelta } from './world/apply.ts'
export { type Delta, type DeltaOp } from './world/delta.ts'
export { createWorld, type World } from './world/fold.ts'
export { leafOf, type Resource, resourceKey, resourceLeaf, resourceName } from './world/resource.ts'
export {
  decodeTrieNode,
  encodeTrieNode,
  type TrieNode,
  trieRoot,
  updateTrie,
} from './world/trie.ts'
export { type Writ } from './writ/writ.ts'
export {
  COMPILE_STAGES,
  compile,
} from './compile/compile.ts'
export {
  checkDispatch,
  DISPATCH_CHECKS,
  type DispatchCheck,
  type DispatchInput,
} from './compile/dispatch-checks.ts'
export {
  type AgentFact,
  type AuthFact,
  type BudgetFact,
  type ClaimFact,
  type ContractFact,
  type Facts,
  type FlowFact,
  type StateFact,
  type WritFact,
} from './compile/facts.ts'
export {
  type Addressed,
  addressed,
  COMPILER_VERSION,
  type CompileInput,
  factView,
  type Rules,
} from './compile/input.ts'
export { RESERVED_KINDS } from './compile/01-kind.ts'
export { drawdownPath } from './compile/08-preconditions.ts'
export { ruleSet, rulesHash } from './compile/rules-hash.ts'
export {
  type PolicyTraceLine,
  type Refusal,
  type StageName,
  type StageTrace,
  type Trace,
  type Trigger,
  type Verdict,
} from './compile/verdict.ts'
export { CONTEXT_SCHEMA, type Snapshot, snapshotId } from './context/snapshot.ts'
export { type AuthorityLevel, type Contract, type Limit } from './contract/contract.ts'
export { type AgentStatus, type LifecycleActor } from './contract/lifecycle.ts'
export {
  type ArgumentProblem,
  type CapabilityDescription,
  type CapabilityLaw,
  type EffectClass,
  type FactLabel,
  type FactView,
  type RiskClass,
} from './execution/capability.ts'
export { idempotencyKey, paramsFingerprint } from './execution/idempotency.ts'
export { type ExecutionIntent, type IntentBody, type SignedIntent } from './execution/intent.ts'
export { isSettled, mayBecome } from './execution/outcome-machine.ts'
export {
  backoffMs,
  judgeProbe,
  type ProbeFinding,
  type Resolution,
  resolveUncertain,
  type Uncertain,
} from './execution/reconcile.ts'
export { govern } from './flow/governor.ts'
export { isPath, mayFollow } from './flow/machine.ts'
export {
  KEY_PURPOSES,
  type KeyPurpose,
  type KeyRecord,
  type Signature,
  type SignatureFact,
  type Signed,
} from './keys/key.ts'
export {
  ENTRY_KINDS,
  type EntryDraft,
  entryId,
  envelopeText,
  PROTOCOL_VERSION,
  payloadHash,
} from './ledger/entry.ts'
export {
  type AnchorPayload,
  type ContractPayload,
  type DecisionRecord,
  type DelegationPayload,
  type DispatchPayload,
  type EvidencePayload,
  type KeyBody,
  type KeyPayload,
  type LifecyclePayload,
  type PendingApprovalPayload,
  type PolicyPayload,
  type RedispatchPayload,
  type RejectionPayload,
  type RevocationPayload,
  type RootPayload,
  type RuleSet,
  type SettlePayload,
  type WritPayload,
} from './ledger/payload.ts'
export { LIMITS } from './limits.ts'
export {
  type Policy,
  type PolicyAnswer,
  type PolicyDecision,
  type PolicyInput,
  type PolicySource,
} from './policy/policy.ts'
export { type Answer, type AnswerOutcome, type Disposition, type Feedback } from './proposal/answer.ts'
export { parseProposal } from './proposal/parse-proposal.ts'
export { type PolicyProposal, type ResourceClaim } from './proposal/proposal.ts'
export { isReasonCode, precedence, REASON_CODES, REASONS, type Reason, type ReasonCode } from './reason.ts'
export { type Failure } from './result.ts'
export { type Budget, type EffectCeiling, type WritBody, type WritScope } from './writ/writ.ts'
export {
  type Authority,
  currentContract,
  currentKey,
  type DeployedContract,
  foldAuthority,
  keyInUse,
  NO_AUTHORITY,
  pinnedContract,
} from './ledger/authority.ts'
export { payloadType, preAuthEncoding } from './canonical/dsse.ts'
export { base64, concat, equalBytes, unbase64, utf8Text } from './canonical/bytes.ts'
export { JSON_LIMITS, type JsonProblem, parseJson } from './canonical/parse-json.ts'
export { checkJson } from './canonical/check-json.ts'
export { canonicalBytes } from './canonical/write-json.ts'
export { dfidFrom, isDfid } from './canonical/identifier.ts'
export { isObject } from './canonical/json-value.ts'
export { type JsonLimits } from './canonical/parse-json.ts'
export { mayMove } from './contract/lifecycle-machine.ts'
export { afterAuthority, atAuthority, createKeySet, foldKeys, isCompromisedAt, type KeyPosition, type KeySet, keyCounts, keyIdOf } from './keys/key-set.ts'
export { publicKeyProblem } from './keys/weak-point.ts'
export { isAuthorityKind, type LinkProblem, linkProblems, placeProblem } from './ledger/chain.ts'
export { emptyFrontier, extendFrontier, extendFrontierAll, type Frontier, frontierRoot } from './ledger/frontier.ts'
export { verifyInclusion } from './ledger/inclusion.ts'
export { leafHash, nodeHash } from './ledger/merkle.ts'
export { type Checkpoint, checkpointBody, formatNote, noteKeyId, parseCheckpoint, parseNote } from './ledger/note.ts'
export { inclusionProof, nodeReaderOverLeaves } from './ledger/proofs.ts'
export { type Bundle, BUNDLE_FORMAT, type BundleEntry, type BundleEvidence, parseBundle } from './proof/bundle.ts'
export { type EvidenceInput, evidenceHash } from './proof/evidence.ts'
export { type ExportedEntry, parseExportedEntry } from './proof/exported-entry.ts'
export { LEDGER_FORMAT, type LedgerHeader, parseLedgerHeader } from './proof/ledger-header.ts'
export { isErasable, type PayloadKind, type PayloadOf, parsePayload, type ReadPayload } from './proof/payload-shape.ts'
export { parseDelta } from './world/delta.ts'
export { widening } from './writ/attenuation.ts'
export { parseWrit } from './writ/parse-writ.ts'
export { type Note, type NoteSignature } from './ledger/note.ts'
export { contractHash } from './contract/contract-hash.ts'
export { contractPatterns } from './contract/contract-patterns.ts'
export { missionHash, missionOf } from './contract/mission.ts'
export { type ContractProblem, parseContract } from './contract/parse-contract.ts'
export { matchesPattern } from './contract/pattern.ts'
export { type AttenuationRequest, attenuateWrit } from './writ/attenuate.ts'
export { budgetText, budgetUnits } from './writ/budget.ts'
export { writBodyFromContract } from './writ/issue.ts'
export { writId } from './writ/writ-id.ts'
export { decodeFrontier, encodeFrontier } from './ledger/frontier.ts'
export { consistencyProof } from './ledger/proofs.ts'
export { verifyConsistency } from './ledger/inclusion.ts'
export { treeRoot } from './ledger/merkle.ts'
export { compareDecimal, decimalOf, type Decimal, decimalText, parseDecimal } from './canonical/decimal.ts'
export { type Mission } from './contract/mission.ts'
export { type Regex } from './contract/pattern.ts'
export { addCost, budgetScale, exceeds } from './writ/budget.ts'
export { type CeilingFlag, ceilingProblem, neededCeiling } from './writ/effect-ceiling.ts'
export { type IssueOptions } from './writ/issue.ts'
export { parseWritBody, type WritProblem } from './writ/parse-writ.ts'
export { scopeCovers } from './writ/scope.ts'
export { multiplyDecimal } from './canonical/decimal.ts'
