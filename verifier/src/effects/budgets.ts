/**
 * Never more reserved and spent than was granted, at no prefix of the ledger.
 *
 * 1. An intent reserves its cost of its writ from where it first stands; a child writ its whole budget of
 *    its parent. What was not spent goes back with a commit, everything with FAILED and with what was
 *    given back unsent; what nobody knows, or a person gave up, stays.
 * 2. What an agent says of its reasoning counts whether it fits or not; past the grant nothing is decided.
 * 3. What a child has left goes back to its parent once, and never more than that.
 * 4. An intent costs at least one call and what its capability always costs.
 *
 * Counted is what is seen: where something is missing (a bundle, an erasure) it is less than was used. A flow
 * is erased whole, and gives back no more than it took: what is left to count is never too much.
 */
import type { Budget, WritBody } from 'rubicon-kernel'
import { toBudgetNumber } from '../authority/budget-number.ts'
import type { Packing } from '../compact-records/packed-map.ts'
import type { Kept } from '../compact-records/parts.ts'

export type Budgets = {
  readonly reserve: (writ: WritBody, cost: Budget) => string[]
  /** Gives back what was reserved beyond what was spent. */
  readonly release: (writ: WritBody, held: Budget, spent: Budget) => void
  readonly report: (writ: WritBody, used: Budget) => void
  readonly giveBack: (child: WritBody, parent: WritBody, returned: Budget) => string[]
}

type Used = Map<string, number>

const NOTHING: ReadonlyMap<string, number> = new Map()

const USED: Packing<Used> = {
  write(record, used) {
    record.count(used.size)
    for (const [measure, units] of used) {
      record.name(measure)
      record.writeNumber(units)
    }
  },
  read: (record) =>
    new Map(Array.from({ length: record.count() }, () => [record.name(), record.readNumber()])),
}

export function createBudgets(kept: Kept): Budgets {
  /** Units by measure, of the writ of a nonce. */
  const used = kept.flows.part(USED)
  const returned = new Set<string>()

  const getUsedUnits = ({ nonce }: WritBody, measure: string): number =>
    (used.get(nonce) ?? NOTHING).get(measure) ?? 0
  const add = (writ: WritBody, measure: string, by: number): number => {
    const sum = getUsedUnits(writ, measure) + by
    if (by !== 0) used.set(writ.nonce, (used.get(writ.nonce) ?? new Map()).set(measure, sum))
    return sum
  }
  const take = (writ: WritBody, amounts: Budget): string[] => {
    const over = Object.entries(amounts).filter(
      ([measure, amount]) =>
        add(writ, measure, toUnits(measure, amount)) > getGrantedUnits(writ, measure),
    )
    return over.map(([measure]) => `more \`${measure}\` is taken than its writ grants`)
  }

  return {
    reserve(writ, cost) {
      const found = take(writ, cost)
      const spent = Object.keys(writ.budget).filter(
        (measure) =>
          !Object.hasOwn(cost, measure) &&
          getUsedUnits(writ, measure) > getGrantedUnits(writ, measure),
      )
      return [...found, ...spent.map((measure) => `\`${measure}\` of its writ is spent`)]
    },
    release(writ, held, spent) {
      for (const [measure, amount] of Object.entries(held)) {
        const most = toUnits(measure, amount)
        const kept = Math.min(most, toUnits(measure, getOwnAmount(spent, measure) ?? '0'))
        add(writ, measure, kept - most)
      }
    },
    report(writ, amounts) {
      for (const [measure, amount] of Object.entries(amounts))
        add(writ, measure, toUnits(measure, amount))
    },
    giveBack(child, parent, amounts) {
      const found = returned.has(child.nonce) ? ['its writ returned its budget before'] : []
      returned.add(child.nonce)
      const over = take(child, amounts)
      for (const [measure, amount] of Object.entries(amounts))
        add(parent, measure, -toUnits(measure, amount))
      return [...found, ...(over.length === 0 ? [] : ['more budget is returned than was left'])]
    },
  }
}

/** What cannot be counted is more than everybody has. */
function toUnits(measure: string, amount: unknown): number {
  return typeof amount === 'string' ? toBudgetNumber(measure, amount) : Number.POSITIVE_INFINITY
}

function getGrantedUnits({ budget }: WritBody, measure: string): number {
  return toUnits(measure, getOwnAmount(budget, measure) ?? '0')
}

function getOwnAmount(amounts: Budget, measure: string): string | undefined {
  return Object.hasOwn(amounts, measure) ? amounts[measure] : undefined
}

/** At least one call, and what the capability always costs. */
export function isCostTooLow(cost: Budget, always: Budget): boolean {
  const least = { calls: '0', ...always }
  return Object.entries(least).some(([measure, amount]) => {
    const call = measure === 'calls' ? 1 : 0
    return !(
      toUnits(measure, getOwnAmount(cost, measure) ?? '0') >=
      toUnits(measure, amount) + call
    )
  })
}
