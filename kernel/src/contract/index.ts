/** What an agent may do: contracts, missions, lifecycle, limits that only narrow. */
export { parseActiveHours } from './active-hours.ts'
export {
  type AgentBudget,
  computeWindowEnd,
  computeWindowIndex,
  findAgentBudget,
} from './agent-budget.ts'
export { type AgentState, deriveAgentState } from './agent-state.ts'
export { getAllowedPatterns, getBound, isApplicable } from './applies.ts'
export { getApprovalWindowMs } from './approval-window.ts'
export type { ContextDeclaration, Contract, Limit, Role, SilenceWatchdog } from './contract.ts'
export { hashContract } from './contract-hash.ts'
export { listContractPatterns } from './contract-patterns.ts'
export { findContractWidening } from './contract-widening.ts'
export { getCountOwner } from './counted-as.ts'
export { findHierarchyProblem, hasAncestorOrSelf } from './hierarchy.ts'
export { isInForce } from './in-force.ts'
export { buildInstanceContract, type InstanceProblem } from './instance.ts'
export type { AgentStatus, LifecycleActor } from './lifecycle.ts'
export { type AgentKind, mayMove, moveProblem } from './lifecycle-machine.ts'
export { hashMission } from './mission.ts'
export { findNearest } from './nearest-name.ts'
export { parseContract } from './parse-contract.ts'
export { isLiteralPattern, isPrefixCovering, isPrefixMatch, type Regex } from './pattern.ts'
export { compareByPriority, type Ranked } from './priority.ts'
export { checkResourceScopes, createScopeTest } from './resource-scope.ts'
export { listSubscriptions, type Subscription } from './subscription.ts'
export { findUnansweredRules } from './unanswered.ts'
export { findUnenforcedRules } from './unenforced.ts'
