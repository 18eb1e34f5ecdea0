/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { loadExecution } from './all-executions.ts'
export { createCheckedStore } from './checked-entries.ts'
export { buildNotErasedGuard, isErased } from './erased-flow.ts'
export type { OpenedFlow } from './opened-flow.ts'
export { toRefusalFailure } from './refusal-failure.ts'
export { RegistryUnavailable } from './registry-unavailable.ts'
export {
  type FlowReview,
  type FlowReviews,
  joinFlowReviews,
  listFlowReviews,
  type ReviewFlag,
} from './review-flags.ts'
export { KeyMissing } from './sign.ts'
export {
  type Ended,
  ESCALATION_STATES,
  type EscalationState,
  loadEscalation,
} from './stored-escalation.ts'
export { buildFlowUnknownFailure } from './unknown-flow.ts'
export { checkReason } from './unreasoned.ts'
