/** Whether the safety rules of a contract stop an agent at least as early as those of another. */
import { compareDecimal, type Decimal, parseDecimal } from '../canonical/decimal.ts'
import { LIMITS } from '../limits.ts'
import { getGrantedUnits } from '../writ/budget.ts'
import { getFlowBudget } from '../writ/issue.ts'
import { isAgentBudgetInside } from './agent-budget.ts'
import { selectEnvelope } from './applies.ts'
import { getApprovalWindowMs } from './approval-window.ts'
import type { Contract } from './contract.ts'
import { isAtMost, isKept, isSubset } from './narrower.ts'
import { getOwn } from './own.ts'

type SafetyRules = Contract['safety_rules']
type JitVerification = Contract['jit_verification']

export type Inside<T> = (child: T, parent: T) => boolean

/** By its type: a new rule does not compile until it is said what narrower means for it. */
export const SAFETY_RULES: Readonly<Record<keyof SafetyRules, Inside<SafetyRules>>> = {
  min_confidence_threshold: isConfidenceInside,
  // Judged above, together: which of the two sends back depends on the other.
  escalate_on_uncertainty: () => true,
  requires_human_approval: (child, parent) =>
    isSubset(parent.requires_human_approval, child.requires_human_approval),
  max_drawdown_limit_pct: (child, parent) =>
    isAtMost(child.max_drawdown_limit_pct, parent.max_drawdown_limit_pct),
  max_intent_retries: (child, parent) => child.max_intent_retries <= parent.max_intent_retries,
  suspend_after_rejections: isSuspensionInside,
  escalations_per_hour: (child, parent) =>
    child.escalations_per_hour <= parent.escalations_per_hour,
  rejections_per_hour: (child, parent) => child.rejections_per_hour <= parent.rejections_per_hour,
  budget_per_flow: isBudgetInside,
  budget_per_agent: (child, parent) =>
    isAgentBudgetInside(child.budget_per_agent, parent.budget_per_agent),
  silence_watchdog: (child, parent) => isKept(child.silence_watchdog, parent.silence_watchdog),
  approvers: isQuorumInside,
  self_approval: (child, parent) =>
    child.self_approval === undefined || parent.self_approval !== undefined,
  approval_window_s: (child, parent) => getApprovalWindowMs(child) <= getApprovalWindowMs(parent),
  repeat_window_s: (child, parent) => (child.repeat_window_s ?? 0) >= (parent.repeat_window_s ?? 0),
  pause_on_escalation: (child, parent) => child.pause_on_escalation || !parent.pause_on_escalation,
  requires_signature: (child, parent) => child.requires_signature || !parent.requires_signature,
  wake_up_threshold_pnl_pct: (child, parent) =>
    isKept(child.wake_up_threshold_pnl_pct, parent.wake_up_threshold_pnl_pct),
}

export const JIT_VERIFICATION: Readonly<
  Record<Exclude<keyof JitVerification, 'drift_envelope'>, Inside<JitVerification>>
> = {
  max_context_age_seconds: (child, parent) => getContextAgeMs(child) <= getContextAgeMs(parent),
  max_state_age_ms: ({ max_state_age_ms: child }, { max_state_age_ms: parent }) =>
    parent === undefined || (child !== undefined && child <= parent),
  on_drift_exceeded: (child, parent) => isKept(child.on_drift_exceeded, parent.on_drift_exceeded),
}

/**
 * What becomes of a proposal changes only at the thresholds, so they are the only places to look:
 * at each the child is at least as strict.
 */
function isConfidenceInside(child: SafetyRules, parent: SafetyRules): boolean {
  const thresholds = [child, parent].flatMap((rules) => [
    rules.escalate_on_uncertainty ?? '0',
    rules.min_confidence_threshold ?? '0',
  ])
  const places = ['0', ...thresholds].map(parseDecimal)
  return places.every(
    (at) => at !== undefined && computeSeverity(at, child) >= computeSeverity(at, parent),
  )
}

/** Passes, goes to a person, goes back: in the order of strictness. */
function computeSeverity(confidence: Decimal, rules: SafetyRules): number {
  if (isBelow(confidence, rules.escalate_on_uncertainty)) return 1
  return isBelow(confidence, rules.min_confidence_threshold) ? 2 : 0
}

function isBelow(confidence: Decimal, threshold: string | undefined): boolean {
  const bound = parseDecimal(threshold ?? '0')
  return bound !== undefined && compareDecimal(confidence, bound) < 0
}

/** No fewer people, and nobody whom the other does not name. */
function isQuorumInside(
  { approvers: child }: SafetyRules,
  { approvers: parent }: SafetyRules,
): boolean {
  if (parent === undefined) return true
  return child !== undefined && child.needs >= parent.needs && isSubset(child.of, parent.of)
}

function isSuspensionInside(
  { suspend_after_rejections: child }: SafetyRules,
  { suspend_after_rejections: parent }: SafetyRules,
): boolean {
  if (parent === undefined) return true
  return child !== undefined && child.count <= parent.count && child.window_s >= parent.window_s
}

/** With what a flow gets when its contract does not say: leaving a measure out may mean more. */
function isBudgetInside(child: SafetyRules, parent: SafetyRules): boolean {
  const granted = getFlowBudget(parent)
  const asked = getFlowBudget(child)
  return Object.keys(asked).every((measure) => {
    const units = getGrantedUnits(asked, measure)
    const limit = getGrantedUnits(granted, measure)
    return units !== undefined && limit !== undefined && units <= limit
  })
}

/**
 * An entry takes the place of the default of its field, which may be stricter than the entry, and
 * an entry left out lets the default in, which may be looser. So entries stay, and only `strict`
 * may be added. For every kind, since entries may be about some of them.
 */
export function isDriftInside(child: Contract, parent: Contract): boolean {
  return child.permissions.policy_kinds.every((kind) => {
    const inner = selectEnvelope(child, kind)
    const outer = selectEnvelope(parent, kind)
    return (
      Object.keys(outer).every((name) => Object.hasOwn(inner, name)) &&
      Object.entries(inner).every(([name, bound]) => {
        const most = getOwn(outer, name)
        return bound === 'strict' || (most !== undefined && isAtMost(bound, most))
      })
    )
  })
}

function getContextAgeMs({ max_context_age_seconds: seconds }: JitVerification): number {
  return seconds === undefined ? LIMITS.contextAgeMs : seconds * 1000
}
