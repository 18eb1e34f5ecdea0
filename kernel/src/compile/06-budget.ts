/**
 * Stage 6: what every such call costs still fits the budget. Cost that depends on parameters waits
 * for stage 8, after the parameters were validated.
 */
import { assert } from '../assert.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import { computeWindowEnd, findAgentBudget } from '../contract/agent-budget.ts'
import { getOwn } from '../contract/own.ts'
import type { CapabilityLaw } from '../execution/capability.ts'
import { addCost, listExceeded } from '../writ/budget.ts'
import type { Budget } from '../writ/writ.ts'
import type { BudgetFact } from './facts.ts'
import type { CompileInput, Findings } from './input.ts'
import { buildShortageDetails, type ShortRow } from './short-amounts.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const budgetStage: Stage = {
  name: 'budget',
  reads: ['budgets', 'agent_window'],
  run(input: CompileInput, found: Findings): StageResult {
    assert(found.law !== undefined, 'the capability stage ran before the budget stage')
    const cost = computeCallCost(found.law)
    if (cost === undefined)
      return refuse('BUDGET_EXCEEDED', { measures: ['cost'], cost: found.law.description.cost })
    found.cost = cost
    const short = findBudgetShortage(input, found.cost) ?? findWindowShortage(input, found.cost)
    return short === null ? PASS : refuse('BUDGET_EXCEEDED', short)
  },
}

/** What every such call costs, whatever its parameters; undefined: it cannot be counted. */
export function computeCallCost({
  description,
}: Pick<CapabilityLaw, 'description'>): Budget | undefined {
  return addCost({ calls: '1' }, description.cost)
}

type Row = Pick<BudgetFact, 'measure' | 'granted' | 'used'>

/**
 * The measures in which the leaf's budget does not cover the cost, with amounts; null: none.
 *
 * A measure that the leaf does not name is granted nothing: what an ancestor has is not the leaf's.
 * Where several rows stand for one measure, each must hold. A measure that is past its grant, by what
 * the agent reported of its reasoning, refuses also what costs nothing of it.
 */
export function findBudgetShortage(
  { facts, writs }: CompileInput,
  cost: Budget,
): JsonObject | null {
  const rows = facts.value.budgets.filter(({ writ }) => writ === writs[0]?.id)
  const measures = new Set([...Object.keys(cost), ...rows.map(({ measure }) => measure)])
  const short = [...measures].flatMap((measure): readonly ShortRow[] => {
    const asked = getOwn(cost, measure) ?? '0'
    const held: readonly Row[] = rows.filter((row) => row.measure === measure)
    const nothing: Row = { measure, granted: '0', used: '0' }
    return (held.length === 0 ? [nothing] : held)
      .filter((row) => isOver(row, { [measure]: asked }))
      .map(({ granted, used }) => ({ measure, asked, granted, used }))
  })
  return short.length === 0 ? null : buildShortageDetails(short)
}

/**
 * The measures in which the agent's window is spent, over all its flows; null: none. A measure that
 * the contract names and nobody has counted is spent.
 */
export function findWindowShortage(
  { facts, contract }: CompileInput,
  cost: Budget,
): JsonObject | null {
  const budget = contract === null ? null : findAgentBudget(contract)
  if (budget === null) return null
  const { from = '', used = {} } = facts.value.agent_window ?? {}
  const short = Object.entries(budget.amounts).flatMap(
    ([measure, granted]): readonly ShortRow[] => {
      const asked = getOwn(cost, measure) ?? '0'
      const spent = getOwn(used, measure)
      const isSpent =
        spent === undefined || isOver({ measure, granted, used: spent }, { [measure]: asked })
      return isSpent ? [{ measure, asked, granted, used: spent }] : []
    },
  )
  if (short.length === 0) return null
  const { owner, window_s, amounts } = budget
  const until = computeWindowEnd(budget, from)
  const selectAmounts = (all: Budget): JsonObject =>
    Object.fromEntries(short.map(({ measure }) => [measure, getOwn(all, measure) ?? null]))
  const ends = until === undefined ? {} : { until }
  const window = {
    of: owner,
    window_s,
    from,
    ...ends,
    limit: selectAmounts(amounts),
    used: selectAmounts(used),
  }
  return { ...buildShortageDetails(short), window }
}

function isOver({ measure, granted, used }: Row, cost: Budget): boolean {
  return listExceeded({ [measure]: granted }, { [measure]: used }, cost).includes(measure)
}
