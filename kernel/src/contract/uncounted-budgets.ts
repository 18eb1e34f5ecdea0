/**
 * Budgets that a call moves and does not draw on.
 *
 * A limit is checked on a measure, a budget on what a call costs. Of a capability that computes `refund_usd` and costs none of
 * it, a budget of `refund_usd` would stay unspent whatever is paid back: such a budget refuses, as any rule that is not answered.
 */
import type { CapabilityDescription } from '../execution/capability.ts'
import { isCountedByRuntime } from '../writ/budget.ts'
import type { Budget } from '../writ/writ.ts'

export type CountedAnswers = Pick<CapabilityDescription, 'measures' | 'touches'>

/** Of the measures that a budget names. A cost of zero is counted. */
export function listUncounted(
  budgeted: readonly string[],
  { measures, touches }: CountedAnswers,
  cost: Budget,
): readonly string[] {
  if (touches === 'none') return []
  return budgeted.filter(
    (measure) =>
      measures.includes(measure) && !Object.hasOwn(cost, measure) && !isCountedByRuntime(measure),
  )
}
