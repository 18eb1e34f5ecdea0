/**
 * At the start: every flow that is open, or of which something is, is held against the ledger, before
 * anything is recovered, sent, expired or decided in it.
 */
import { LIMITS, OPEN_FLOW_STATES } from 'rubicon-kernel'
import type { RecordKind, StoredRecord } from '../../../ports/record.ts'
import type { FlowFilter, FlowSummary } from '../../../ports/store.ts'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Deps } from '../../deps.ts'
import { readAllExecutions } from '../../rows/all-executions.ts'
import { checkFlow } from './flow-check.ts'

type Needed = Pick<Deps, 'store' | 'sha256'>

/** Throws a `StoreDiverged` at the first that is not what the ledger says. Which were looked at. */
export async function checkOpenFlows(deps: Needed): Promise<readonly string[]> {
  const flows = await openFlows(deps)
  for (const dfid of flows) {
    const difference = await checkFlow(deps, dfid)
    if (difference !== null) throw new StoreDiverged(difference.row, difference.detail)
  }
  return flows
}

/** In the order of their opening, so that those beside one another in the tree are read together. */
async function openFlows({ store }: Needed): Promise<readonly string[]> {
  const found = new Set<string>()
  for await (const { dfid } of iterateFlows(store, { state: OPEN_FLOW_STATES })) found.add(dfid)
  if (store.exposed)
    for await (const { dfid } of iterateFlows(store, { tag: 'DIRTY' })) found.add(dfid)
  const uncertain = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW'] as const
  for (const { dfid } of await readAllExecutions(store, { status: uncertain })) found.add(dfid)
  for (const group of ['open', 'approved'])
    for await (const { body } of iterateRecords(store, 'escalation', group))
      found.add(body.request.dfid)
  for await (const { key } of iterateRecords(store, 'dirty_flow', 'open')) found.add(key)
  return [...found].sort()
}

export async function* iterateFlows(
  store: Needed['store'],
  filter: Pick<FlowFilter, 'state' | 'tag'>,
): AsyncGenerator<FlowSummary> {
  const limit = LIMITS.entriesPerPage
  for (let before: string | undefined; ; ) {
    const place = before === undefined ? {} : { before }
    const page = await store.listFlowSummaries({ ...filter, limit, ...place })
    yield* page
    before = page.at(-1)?.dfid
    if (page.length < limit) return
  }
}

async function* iterateRecords<K extends RecordKind>(
  store: Needed['store'],
  record: K,
  group: string,
): AsyncIterable<StoredRecord<K>> {
  const limit = LIMITS.entriesPerPage
  for (let after = ''; ; ) {
    const page = await store.listRecords(record, group, { after, limit })
    yield* page
    after = page.at(-1)?.key ?? after
    if (page.length < limit) return
  }
}
