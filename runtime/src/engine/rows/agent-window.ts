/**
 * The window of an agent's budget, as counters: one for each measure and window, named so that what was
 * reserved is given back where it was taken, whenever that is. The window of an intent is the one in
 * which it was staged.
 */
import {
  type AgentBudget,
  type AgentWindowFact,
  type Contract,
  computeWindowIndex,
  type DeployedContract,
  findAgentBudget,
  findPinnedContract,
  formatBudgetUnits,
  formatInstant,
  parseInstant,
  type SignedAtom,
  type SignedIntent,
  toBudgetUnits,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'

type Amounts = Readonly<Record<string, string>>

/** Not to be taken for the counter of a writ: there is no space in those. */
export function toWindowCounter(
  { owner, window_s }: AgentBudget,
  index: number,
  measure: string,
): string {
  return `window ${owner} ${window_s} ${index} ${measure}`
}

/** What was taken of the window so far; `held`: of an intent that took its part already. */
export async function readWindowFact(
  { store }: Context,
  deployed: Pick<DeployedContract, 'contract'> | undefined,
  now: string,
  held?: SignedIntent,
  /** What it holds does not count against it, in the window in which it was issued. */
  own?: Pick<SignedAtom, 'issued_at' | 'reserved_cost'>,
): Promise<AgentWindowFact | null> {
  const budget = deployed === undefined ? null : findAgentBudget(deployed.contract)
  if (budget === null) return null
  const index = computeWindowIndex(budget, parseInstant(held?.staged_at ?? now) ?? 0)
  const used: Record<string, string> = {}
  for (const measure of Object.keys(budget.amounts)) {
    const taken = held === undefined ? 0 : toMeasureUnits(measure, held.cost)
    const isOwn =
      own !== undefined && computeWindowIndex(budget, parseInstant(own.issued_at) ?? 0) === index
    const kept = isOwn ? toMeasureUnits(measure, own.reserved_cost) : 0
    const counted = await store.readCounter(toWindowCounter(budget, index, measure))
    used[measure] = formatBudgetUnits(measure, BigInt(Math.max(0, counted - taken - kept)))
  }
  return { from: formatInstant(index * budget.window_s * 1000), used }
}

/** Takes a cost from the window, all or none. */
export function reserveWindow(contract: Contract | null, at: string, cost: Amounts): Unit {
  const budget = contract === null ? null : findAgentBudget(contract)
  if (budget === null) return { guards: [], writes: [] }
  const index = computeWindowIndex(budget, parseInstant(at) ?? 0)
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const [measure, amount] of Object.entries(budget.amounts)) {
    const id = toWindowCounter(budget, index, measure)
    const by = toMeasureUnits(measure, cost)
    guards.push({ kind: 'counter', id, by, limit: toMeasureUnits(measure, { [measure]: amount }) })
    if (by !== 0) writes.push({ kind: 'count', id, by })
  }
  return { guards, writes }
}

/**
 * What reasoning cost counts, whether it fits or not: stage 6 refuses what comes after it. `limit`: the
 * most that can be counted at all.
 */
export function countInWindow(
  contract: Contract | undefined,
  now: string,
  used: Amounts,
  limit: number,
): Unit {
  const budget = contract === undefined ? null : findAgentBudget(contract)
  if (budget === null) return { guards: [], writes: [] }
  const index = computeWindowIndex(budget, parseInstant(now) ?? 0)
  const counts = Object.keys(budget.amounts).flatMap((measure) => {
    const by = toMeasureUnits(measure, used)
    return by === 0 ? [] : [{ id: toWindowCounter(budget, index, measure), by }]
  })
  return {
    guards: counts.map((one) => ({ kind: 'counter', ...one, limit })),
    writes: counts.map((one) => ({ kind: 'count', ...one })),
  }
}

/** What was taken of the window at `at` becomes what was used, whether it fits or not. */
export function settleWindow(
  contract: Contract | undefined,
  at: string,
  reserved: Amounts,
  used: Amounts,
): readonly Write[] {
  const budget = contract === undefined ? null : findAgentBudget(contract)
  if (budget === null) return []
  const index = computeWindowIndex(budget, parseInstant(at) ?? 0)
  return Object.keys(budget.amounts).flatMap((measure): Write[] => {
    const by = toMeasureUnits(measure, used) - toMeasureUnits(measure, reserved)
    return by === 0 ? [] : [{ kind: 'count', id: toWindowCounter(budget, index, measure), by }]
  })
}

/** Gives back what an intent reserved beyond what was spent. */
export async function releaseWindow(
  { authorities }: Context,
  flow: FlowRow,
  { contract_hash, agent_id, staged_at, cost }: SignedIntent,
  spent: Amounts,
): Promise<readonly Write[]> {
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, agent_id, contract_hash)?.contract
  const budget = contract === undefined ? null : findAgentBudget(contract)
  if (budget === null) return []
  const index = computeWindowIndex(budget, parseInstant(staged_at) ?? 0)
  return Object.keys(budget.amounts).flatMap((measure): Write[] => {
    const held = toMeasureUnits(measure, cost)
    const back = held - Math.min(held, toMeasureUnits(measure, spent))
    const id = toWindowCounter(budget, index, measure)
    return back === 0 ? [] : [{ kind: 'count', id, by: -back }]
  })
}

function toMeasureUnits(measure: string, amounts: Amounts): number {
  const amount = Object.hasOwn(amounts, measure) ? amounts[measure] : undefined
  return amount === undefined ? 0 : Number(toBudgetUnits(measure, amount) ?? 0n)
}
