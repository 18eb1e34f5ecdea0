/** What agents used of their budgets, for showing. */
import { AUTHORITY, findShownContract } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { loadAgentBudgets } from 'rubicon-runtime/engine/authority'
import type { MovedBudget } from '../schemas/overview.ts'

/** Agents whose budgets are looked at: those of the newest contracts. */
const AGENTS = 200

/** What is used of every budget that comes back, the fullest first. */
export async function listMovedBudgets({ context }: Engine): Promise<readonly MovedBudget[]> {
  const { store, authorities } = context
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(AUTHORITY)
  const moved: MovedBudget[] = []
  for (const agent of [...authority.contracts.keys()].slice(-AGENTS)) {
    const contract = findShownContract(authority, agent, now)?.contract ?? null
    if (contract === null || authority.statuses.get(agent) === 'RETIRED') continue
    for (const budget of await loadAgentBudgets(context, contract, [], now)) {
      const { of, measure, spent: used, limit, resets_at } = budget
      if (of !== 'flow')
        moved.push({
          agent,
          of,
          measure,
          used,
          limit,
          share: divideAmounts(used, limit),
          resets_at,
        })
    }
  }
  return moved.sort(compareShares)
}

/** For showing: nothing is decided on it. */
export function divideAmounts(part: string, whole: string): number {
  const share = Number(part) / Number(whole)
  return Number.isFinite(share) ? Math.round(share * 1000) / 1000 : 0
}

export function compareShares(
  a: { readonly share: number | null },
  b: { readonly share: number | null },
): number {
  return (b.share ?? -1) - (a.share ?? -1)
}
