/** What agents used of their budgets, for showing. */
import { AUTHORITY, findShownContract } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { loadAgentBudgets } from 'rubicon-runtime/engine/authority'
import type { MovedBudget } from '../schemas/overview.ts'

/** So many agents are looked at: every budget is read from the store. */
export const AGENTS_LOOKED_AT = 200

export type MovedBudgets = {
  /** What is used of every budget that comes back, the fullest first. */
  readonly moved: readonly MovedBudget[]
  /** How many agents were looked at, of how many that are not retired. */
  readonly lookedAt: number
  readonly of: number
}

/** Of the first of these agents. Who is retired takes nobody's place. */
export async function listMovedBudgets(
  { context }: Engine,
  agents: readonly string[],
): Promise<MovedBudgets> {
  const { store, authorities } = context
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(AUTHORITY)
  const asked = agents.filter((agent) => authority.statuses.get(agent) !== 'RETIRED')
  const looked = asked.slice(0, AGENTS_LOOKED_AT)
  const moved: MovedBudget[] = []
  for (const agent of looked) {
    const contract = findShownContract(authority, agent, now)?.contract ?? null
    if (contract === null) continue
    for (const budget of await loadAgentBudgets(context, contract, [], now)) {
      const { of, measure, spent: used, limit, resets_at } = budget
      const share = divideAmounts(used, limit)
      if (of !== 'flow')
        moved.push({ agent: contract.agent_id, of, measure, used, limit, share, resets_at })
    }
  }
  return { moved: moved.sort(compareShares), lookedAt: looked.length, of: asked.length }
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
