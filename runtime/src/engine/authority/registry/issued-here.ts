/** Whether there is something to revoke: what nobody was given cannot be taken from anybody. */
import {
  type Authority,
  isAddress,
  isContractNamed,
  LIMITS,
  OPEN_FLOW_STATES,
} from 'rubicon-kernel'
import type { FlowFilter, FlowRow, Store } from '../../../ports/store.ts'

export function isContract({ contracts }: Authority, id: string): boolean {
  return [...contracts].some(([agent, versions]) =>
    versions.some(({ contract }) => isContractNamed(id, agent, contract.version)),
  )
}

type Reader = Pick<Store, 'readWrit' | 'listFlows'>

/** Issued by hand, or one that an open or a dirty flow stands on: of those it is in the row only. */
export async function isWrit(store: Reader, id: string): Promise<boolean> {
  if (!isAddress(id)) return false
  if ((await store.readWrit(id)) !== null) return true
  for (const filter of MOVING)
    for await (const { writs } of iterateFilteredFlows(store, filter))
      if (writs.some((ref) => ref.id === id)) return true
  return false
}

const MOVING: readonly Omit<FlowFilter, 'limit'>[] = [{ state: OPEN_FLOW_STATES }, { tag: 'DIRTY' }]

async function* iterateFilteredFlows(
  store: Reader,
  filter: Omit<FlowFilter, 'limit'>,
): AsyncGenerator<FlowRow> {
  const limit = LIMITS.entriesPerPage
  for (let page = await store.listFlows({ ...filter, limit }); ; ) {
    yield* page
    const before = page.at(-1)?.dfid
    if (page.length < limit || before === undefined) return
    page = await store.listFlows({ ...filter, before, limit })
  }
}
