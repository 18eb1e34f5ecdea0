/**
 * What a run took of a processor altogether, by workspace, so that growth is seen where it comes from.
 *
 * More than the budget is said, and fails nothing: a machine that does other things takes longer for the same work.
 */
import { type FileCost, LOADING } from './test-cost.ts'

/** Seconds of a processor that a whole run may take: about ten minutes on two cores. */
export const BUDGET_SECONDS = 1_150

/** Loading belongs to no single file. */
const LOADED = 'loading files'
/** What no test waited for: the runner, what it builds and loads first, and processes as they end. */
const AROUND = 'around the tests'

export type Total = {
  readonly seconds: number
  readonly budget: number
  /** What a fixed calculation took meanwhile (`machine-speed.ts`): by it runs are compared. */
  readonly calculationMs: number
  /** The most expensive first. */
  readonly by: Readonly<Record<string, number>>
}

/** `allMs`: of the runner and of every process that it started. */
export function sumCosts(costs: readonly FileCost[], allMs: number, calculationMs: number): Total {
  const sums = new Map<string, number>()
  for (const { file, cpuMs } of costs) {
    const [workspace = ''] = file.split('/')
    const name = file.startsWith(LOADING) ? LOADED : workspace
    sums.set(name, (sums.get(name) ?? 0) + cpuMs)
  }
  const known = costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  sums.set(AROUND, Math.max(0, allMs - known))
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a)
  return {
    seconds: toSeconds(allMs),
    budget: BUDGET_SECONDS,
    calculationMs,
    by: Object.fromEntries(sorted.map(([name, ms]) => [name, toSeconds(ms)])),
  }
}

/** Of a part of the files nothing can be said about the budget. */
export function formatTotal(total: Total, isWhole: boolean): string {
  const { seconds, budget, calculationMs, by } = total
  const parts = Object.entries(by).map(([name, some]) => `${name} ${some}`)
  const speed = `a calculation that is always the same took ${calculationMs} ms`
  const sum = `${seconds} s of a processor, where ${speed}: ${parts.join(', ')}\n`
  if (!isWhole) return sum
  return seconds <= budget
    ? `${sum}within the budget of ${budget} s\n`
    : `${sum}NOTICED ${seconds - budget} s more than the budget of ${budget} s: look at the files that took most\n`
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000)
}
