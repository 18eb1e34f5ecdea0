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

/** Flows that have ended are all but the others: to look at the state of each takes thirty times as long. */
async function measureStore(store: Store): Promise<StoreSize> {
  const open_flows = await store.countRows({ of: 'flows', state: OPEN_FLOW_STATES })
  const all = await store.countRows({ of: 'flows', state: FLOW_STATES })
  return {
    entries: await store.countLeaves(),
    open_flows,
    // Between the two counts flows may have been taken out.
    ended_flows: Math.max(0, all - open_flows),
    archived_flows: await store.countRows({ of: 'records', record: 'archive', group: 'flows' }),
    failed_notices: await store.countRows({ of: 'records', record: 'notice', group: 'failed' }),
  }
}
