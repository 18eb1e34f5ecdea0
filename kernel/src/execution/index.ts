/** Effects: capabilities, intents, outcomes, and what is to be done about an uncertain one. */
export { isAllowedIn, mayChooseFor } from './branch-effect.ts'
export type {
  ArgumentProblem,
  CapabilityDescription,
  CapabilityLaw,
  FactView,
  ResourceNeed,
} from './capability.ts'
export type { EffectClass, RiskClass } from './effect-class.ts'
export {
  computeIdempotencyKey,
  computeIdempotencyKeyOfText,
  computeParamsFingerprint,
  computeParamsFingerprintOfText,
} from './idempotency.ts'
export type {
  ExecutionIntent,
  IntentBody,
  OnFailure,
  SignedIntent,
} from './intent.ts'
export { formatIntentWithId, formatSignedIntent } from './intent-text.ts'
export { EXECUTION_STATUSES, type ExecutionStatus } from './outcome.ts'
export { isSettled, mayBecome } from './outcome-machine.ts'
export {
  computeBackoffMs,
  computeKeyEndMs,
  computeNextProbeMs,
  judgeProbe,
  type ProbeFinding,
  type Resolution,
  resolveUncertain,
  type Uncertain,
} from './reconcile.ts'
