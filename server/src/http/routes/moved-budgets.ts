/** What agents used of their budgets, for showing. */
import { AUTHORITY, findShownContract } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { loadAgentBudgets } from 'rubicon-runtime/engine/authority'
import type { MovedBudget } from '../schemas/overview.ts'

/** So many agents are looked at: every budget is read from the store. */
const AGENTS = 200

export type MovedBudgets = {
  /** What is used of every budget that comes back, the fullest first. */
  readonly moved: readonly MovedBudget[]
  /** All that were asked for were looked at. */
  readonly isAll: boolean
}

/** Of these agents, the first of them; of the newest, if nobody says. Who is retired takes nobody's place. */
export async function listMovedBudgets(
  { context }: Engine,
  agents?: readonly string[],
): Promise<MovedBudgets> {
  const { store, authorities } = context
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(AUTHORITY)
  const asked = agents ?? [...authority.contracts.keys()].reverse()
  const contracts = asked.flatMap((agent) => {
    const isRetired = authority.statuses.get(agent) === 'RETIRED'
    const contract = isRetired ? null : (findShownContract(authority, agent, now)?.contract ?? null)
    return contract === null ? [] : [contract]
  })
  const moved: MovedBudget[] = []
  for (const contract of contracts.slice(0, AGENTS)) {
    for (const budget of await loadAgentBudgets(context, contract, [], now)) {
      const { of, measure, spent: used, limit, resets_at } = budget
      const share = divideAmounts(used, limit)
      if (of !== 'flow')
        moved.push({ agent: contract.agent_id, of, measure, used, limit, share, resets_at })
    }
  }
  return { moved: moved.sort(compareShares), isAll: contracts.length <= AGENTS }
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
