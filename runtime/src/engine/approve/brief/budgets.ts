/** What saying yes would cost, beside what is left: of the flow's writ, of the agent's window, and of people's patience. */
import {
  addCost,
  type Contract,
  computeWindowEnd,
  type Facts,
  findAgentBudget,
  getCountOwner,
  LIMITS,
  parseInstant,
} from 'rubicon-kernel'
import type { Store } from '../../../ports/store.ts'

export type BriefBudget = {
  readonly measure: string
  readonly granted: string
  readonly used: string
  /** With this one; null: nobody can say, or it would not run. */
  readonly after: string | null
  /** Of the agent's window over all its flows: when it ends. Null: of the flow's writ. */
  readonly until: string | null
}

/** Exceptions of the agent that reached a person within the hour, this one among them. */
export type AskedThisHour = { readonly asked: number; readonly of: number }

/** `cost` is null where it would not run. */
export function buildBriefBudgets(
  facts: Facts | null,
  contract: Contract | null,
  cost: Readonly<Record<string, string>> | null,
): readonly BriefBudget[] {
  const ofWrit = (facts?.budgets ?? []).map((row) => ({ ...row, until: null }))
  return [...ofWrit, ...buildWindowRows(facts, contract)].map(
    ({ measure, granted, used, until }) => {
      const own = { [measure]: cost?.[measure] ?? '0' }
      const after = cost === null ? undefined : addCost({ [measure]: used }, own)?.[measure]
      return { measure, granted, used, after: after ?? null, until }
    },
  )
}

function buildWindowRows(
  facts: Facts | null,
  contract: Contract | null,
): readonly Omit<BriefBudget, 'after'>[] {
  const budget = contract === null ? null : findAgentBudget(contract)
  const fact = facts?.agent_window
  if (budget === null || fact == null) return []
  const until = computeWindowEnd(budget, fact.from) ?? null
  return Object.entries(budget.amounts).map(([measure, granted]) => {
    return { measure, granted, used: fact.used[measure] ?? '0', until }
  })
}

export async function countAskedThisHour(
  store: Store,
  contract: Pick<Contract, 'agent_id' | 'instance_of' | 'safety_rules'>,
  now: string,
): Promise<AskedThisHour> {
  const known = await store.readRecord('escalation_budget', 'agents', getCountOwner(contract))
  const since = (parseInstant(now) ?? 0) - LIMITS.escalationWindowMs
  const asked = (known?.body.spent ?? []).filter((at) => (parseInstant(at) ?? since + 1) > since)
  return { asked: asked.length, of: contract.safety_rules.escalations_per_hour }
}
