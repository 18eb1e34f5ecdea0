/**
 * What an agent may spend in a window of time, over all its flows: a fresh flow has a fresh budget, and
 * without this there would be no end to them. Windows follow each other from the epoch on; an instance
 * spends from the window of its class, so that nobody multiplies a budget by instances.
 */
import { formatInstant, parseInstant } from '../canonical/time.ts'
import { toBudgetUnits } from '../writ/budget.ts'
import type { Budget } from '../writ/writ.ts'
import type { Contract } from './contract.ts'
import { getCountOwner } from './counted-as.ts'

export type AgentBudget = {
  /** Whose window it is. */
  readonly owner: string
  readonly window_s: number
  readonly amounts: Budget
}

type Ruled = Pick<Contract, 'agent_id' | 'instance_of' | 'safety_rules'>

/** Null: the contract has no such rule. */
export function findAgentBudget(contract: Ruled): AgentBudget | null {
  const { window_s, ...amounts } = contract.safety_rules.budget_per_agent ?? {}
  if (window_s === undefined) return null
  return { owner: getCountOwner(contract), window_s: Number(window_s), amounts }
}

/** The number of the window in which a moment lies. */
export function computeWindowIndex(
  { window_s }: Pick<AgentBudget, 'window_s'>,
  ms: number,
): number {
  return Math.floor(ms / (window_s * 1000))
}

/** The end of the window that begins at `from`; undefined where that is no time. */
export function computeWindowEnd(
  { window_s }: Pick<AgentBudget, 'window_s'>,
  from: string,
): string | undefined {
  const at = parseInstant(from)
  return at === undefined ? undefined : formatInstant(at + window_s * 1000)
}

type BudgetRule = Contract['safety_rules']['budget_per_agent']

/** The same windows, every amount kept, and none larger. */
export function isAgentBudgetInside(child: BudgetRule, parent: BudgetRule): boolean {
  if (parent === undefined) return true
  if (child === undefined || child.window_s !== parent.window_s) return false
  return Object.entries(parent).every(([measure, most]) => {
    const amount = Object.hasOwn(child, measure) ? child[measure] : undefined
    const asked = amount === undefined ? undefined : toBudgetUnits(measure, amount)
    const limit = toBudgetUnits(measure, most)
    return asked !== undefined && limit !== undefined && asked <= limit
  })
}
