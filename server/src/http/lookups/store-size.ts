/** How much a store holds: counted row by row, in some stores. */
import { FLOW_STATES, OPEN_FLOW_STATES } from 'rubicon-kernel'
import type { Store } from 'rubicon-runtime/ports'
import { toReply } from '../schemas/route.ts'
import type { LookupParts, LookupTable } from './lookup.ts'

export type StoreSize = {
  readonly entries: number
  readonly open_flows: number
  readonly ended_flows: number
  readonly archived_flows: number
  readonly failed_notices: number
}

export function createSizeLookups({
  store,
}: Pick<LookupParts, 'store'>): Pick<LookupTable, 'measureStore'> {
  return { measureStore: async () => toReply(await measureStore(store)) }
}

const ENDED_STATES = FLOW_STATES.filter((state) => !OPEN_FLOW_STATES.includes(state))

async function measureStore(store: Store): Promise<StoreSize> {
  return {
    entries: await store.countLeaves(),
    open_flows: await store.countRows({ of: 'flows', state: OPEN_FLOW_STATES }),
    ended_flows: await store.countRows({ of: 'flows', state: ENDED_STATES }),
    archived_flows: await store.countRows({ of: 'records', record: 'archive', group: 'flows' }),
    failed_notices: await store.countRows({ of: 'records', record: 'notice', group: 'failed' }),
  }
}
