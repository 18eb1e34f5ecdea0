/** A flow among its relatives: those above it, and those opened in it, a page at a time. */
import type { FlowSummary, Store } from 'rubicon-runtime/ports'
import type { FlowBranch } from '../schemas/flow.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { encodeCursor, parseCursor } from '../views/list-page.ts'
import { addConversations, toFlowSummary } from './conversations.ts'
import { addFoundFacts } from './flow-list.ts'
import type { LookupRequest } from './lookup.ts'
import type { Search } from './search.ts'

/** Far above what agents do; a store that was tampered with could hold a circle. */
const PARENTS = 32
/** Each child is looked below, too. */
const CHILDREN = 200

/** Null: there is no such flow. */
export async function readFlowTree(
  store: Store,
  search: Search,
  { params: { dfid = '' }, query }: LookupRequest,
): Promise<Reply | null> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place.error
  const flow = await store.readFlow(dfid)
  if (flow === null) return null
  const limit = Math.min(CHILDREN, parseLimit(query))
  const [before] = place.value ?? []
  const children = await store.listFlowSummaries({
    parent_dfid: dfid,
    limit: limit + 1,
    ...(before === undefined ? {} : { before }),
  })
  const shown = children.slice(0, limit)
  const last = shown.at(-1)
  const { parents, hasMore } = await readParents(store, flow)
  const all = await addBranches(store, search, [...parents, toFlowSummary(flow), ...shown])
  const own = all[parents.length]
  if (own === undefined) return null
  return toReply({
    parents: all.slice(0, parents.length),
    has_more_parents: hasMore,
    flow: own,
    children: all.slice(parents.length + 1),
    next: children.length > limit && last !== undefined ? encodeCursor([last.dfid]) : null,
  })
}

/** The nearest last. */
async function readParents(
  store: Pick<Store, 'readFlow'>,
  { dfid, parent_dfid }: FlowSummary,
): Promise<{ readonly parents: readonly FlowSummary[]; readonly hasMore: boolean }> {
  const parents: FlowSummary[] = []
  const seen = new Set([dfid])
  let above = parent_dfid
  while (above !== null && parents.length < PARENTS && !seen.has(above)) {
    seen.add(above)
    const parent = await store.readFlow(above)
    if (parent === null) break
    parents.unshift(toFlowSummary(parent))
    above = parent.parent_dfid
  }
  return { parents, hasMore: above !== null }
}

async function addBranches(
  store: Store,
  search: Search,
  flows: readonly FlowSummary[],
): Promise<readonly FlowBranch[]> {
  await search.askBeside(() => null)
  const found = addFoundFacts(search, await addConversations(store, flows))
  return Promise.all(
    found.map(async (flow) => {
      const [child] = await store.listFlowSummaries({ parent_dfid: flow.dfid, limit: 1 })
      return { ...flow, has_children: child !== undefined }
    }),
  )
}
