/** What saying yes would cost, beside what is left: of the flow's writ, and of people's patience. */
import { addCost, type Contract, countedAs, type Facts, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Store } from '../../../ports/store.ts'

export type BriefBudget = {
  readonly measure: string
  readonly granted: string
  readonly used: string
  /** With this one; null: nobody can say, or it would not run. */
  readonly after: string | null
}

/** Exceptions of the agent that reached a person within the hour, this one among them. */
export type AskedThisHour = { readonly asked: number; readonly of: number }

/** `cost` is null where it would not run. */
export function briefBudgets(
  facts: Facts | null,
  cost: Readonly<Record<string, string>> | null,
): readonly BriefBudget[] {
  return (facts?.budgets ?? []).map(({ measure, granted, used }) => {
    const own = { [measure]: cost?.[measure] ?? '0' }
    const after = cost === null ? undefined : addCost({ [measure]: used }, own)?.[measure]
    return { measure, granted, used, after: after ?? null }
  })
}

export async function askedThisHour(
  store: Store,
  contract: Pick<Contract, 'agent_id' | 'instance_of' | 'safety_rules'>,
  now: string,
): Promise<AskedThisHour> {
  const known = await store.record('escalation_budget', 'agents', countedAs(contract))
  const since = (parseInstant(now) ?? 0) - LIMITS.escalationWindowMs
  const asked = (known?.body.spent ?? []).filter((at) => (parseInstant(at) ?? since + 1) > since)
  return { asked: asked.length, of: contract.safety_rules.escalations_per_hour }
}
