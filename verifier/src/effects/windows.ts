/**
 * What an agent takes in a window of time, over all its flows, never exceeds what its contract grants.
 * What it reports of its reasoning is not counted here: in which window that was, the ledger does not say.
 */
import {
  type Budget,
  type Contract,
  computeWindowIndex,
  findAgentBudget,
  parseInstant,
} from 'rubicon-kernel'
import { toBudgetNumber } from '../authority/budget-number.ts'

export type Windows = {
  readonly reserve: (contract: Contract, staged_at: string, cost: Budget) => string[]
  readonly release: (contract: Contract, staged_at: string, held: Budget, spent: Budget) => void
}

export function createWindows(): Windows {
  const used = new Map<string, number>()
  const add = (name: string, by: number): number => {
    const sum = (used.get(name) ?? 0) + by
    used.set(name, sum)
    return sum
  }
  return {
    reserve: (contract, staged_at, cost) =>
      listWindowParts(contract, staged_at)
        .filter(({ name, measure, most }) => add(name, getUnits(measure, cost)) > most)
        .map(({ measure }) => `more \`${measure}\` is taken than its agent has in the window`),
    release(contract, staged_at, held, spent) {
      for (const { name, measure } of listWindowParts(contract, staged_at)) {
        const reserved = getUnits(measure, held)
        add(name, Math.min(reserved, getUnits(measure, spent)) - reserved)
      }
    },
  }
}

type Part = { readonly name: string; readonly measure: string; readonly most: number }

function listWindowParts(contract: Contract, staged_at: string): readonly Part[] {
  const budget = findAgentBudget(contract)
  if (budget === null) return []
  const { owner, window_s, amounts } = budget
  const index = computeWindowIndex(budget, parseInstant(staged_at) ?? 0)
  return Object.keys(amounts).map((measure) => ({
    name: `${owner} ${window_s} ${index} ${measure}`,
    measure,
    most: getUnits(measure, amounts),
  }))
}

function getUnits(measure: string, amounts: Budget): number {
  const amount: unknown = Object.hasOwn(amounts, measure) ? amounts[measure] : '0'
  return typeof amount === 'string' ? toBudgetNumber(measure, amount) : Number.POSITIVE_INFINITY
}
