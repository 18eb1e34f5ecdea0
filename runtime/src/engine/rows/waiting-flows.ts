import { type Authority, type Contract, getCountOwner } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'

/** How many flows wait for somebody, of the class and all its instances together; up to `most`. */
export async function countWaitingFlows(
  store: Pick<Store, 'listFlows'>,
  { contracts, statuses }: Pick<Authority, 'contracts' | 'statuses'>,
  contract: Pick<Contract, 'agent_id' | 'instance_of'>,
  most: number,
): Promise<number> {
  const counted = getCountOwner(contract)
  let waiting = 0
  for (const [agent_id, [first]] of contracts) {
    if (waiting >= most) break
    const isCounted = first !== undefined && getCountOwner(first.contract) === counted
    if (!isCounted || statuses.get(agent_id) === 'RETIRED') continue
    const limit = most - waiting
    waiting += (await store.listFlows({ agent_id, state: ['ESCALATED'], limit })).length
  }
  return waiting
}
