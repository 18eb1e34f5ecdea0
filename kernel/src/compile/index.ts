/** The ten stages that a proposal passes, the facts that they are shown, and what is asked again before sending. */
export { computeApprovedDigest, dispatchDeadline } from './10-emission.ts'
export { computeLargestCallCost, judgeAtomKind } from './atom-issue.ts'
export { findBranchRefusal, findUndoRefusal } from './branch-refusal.ts'
export { COMPILE_STAGES, type CompileObserver, compile } from './compile.ts'
export { checkDispatch, reportDrift } from './dispatch-checks.ts'
export type {
  AgentWindowFact,
  ApprovalFact,
  AtomFact,
  AuthFact,
  BudgetFact,
  ContractFact,
  Facts,
  InForceFact,
  Position,
  SeenFact,
  WritFact,
} from './facts.ts'
export {
  type Addressed,
  type AuthorityFacts,
  COMPILER_VERSION,
  type CompileInput,
  createFactView,
  type Rules,
  toAddressed,
} from './input.ts'
export { hasFreeCapacity, type LockHold, lockRefusal } from './lock-refusal.ts'
export { listRecheckedStages, type Rechecked, recheck, recheckUndo } from './recheck.ts'
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
} from './rules-difference.ts'
export { buildRuleSet, collectPolicyTexts, hashRules } from './rules-hash.ts'
export { findRulesRefusal } from './rules-in-force.ts'
export { buildShortageDetails, formatAmounts } from './short-amounts.ts'
export { removeNarrowing } from './unnarrowed.ts'
export type {
  PolicyTraceLine,
  Refusal,
  StageName,
  StageTrace,
  Trace,
  Trigger,
  Verdict,
} from './verdict.ts'
export { STAGES } from './verdict.ts'
