/** Flows by the conversation that they were opened in. */
import { err, ok, type Result } from 'rubicon-kernel'
import { listConversation, readConversation } from 'rubicon-runtime/engine/flow'
import type { FlowFilter, FlowSummary, Store } from 'rubicon-runtime/ports'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import type { ListedFlow } from '../schemas/flow.ts'
import type { Reply } from '../schemas/route.ts'
import { encodeCursor } from '../views/list-page.ts'

export type FlowPage = {
  readonly flows: readonly ListedFlow[]
  readonly next: string | null
}

/** What a store holds of each flow, for a page of them. */
export function addConversations(
  store: Pick<Store, 'readRecord'>,
  flows: readonly FlowSummary[],
): Promise<readonly ListedFlow[]> {
  return Promise.all(
    flows.map(async (flow) => ({
      ...flow,
      conversation: await readConversation(store, flow.dfid),
    })),
  )
}

/** A page may have fewer rows than were asked for: those that other filters leave out are looked at, too. */
export async function listInConversation(
  store: Pick<Store, 'listRecords' | 'readFlow'>,
  { agent_id, state, tag, parent_dfid, before, from }: Omit<FlowFilter, 'limit'>,
  conversation: string,
  limit: number,
): Promise<Result<FlowPage, Reply>> {
  if (agent_id === undefined)
    return err(
      refuseSchemaMismatch('query', [
        { path: '/agent', detail: 'a conversation is one of an agent: name it' },
      ]),
    )
  const range = {
    ...(before === undefined ? {} : { before }),
    ...(from === undefined ? {} : { from }),
    limit: limit + 1,
  }
  const dfids = await listConversation(store, agent_id, conversation, range)
  const page = dfids.slice(0, limit)
  const rows = await Promise.all(page.map((dfid) => store.readFlow(dfid)))
  const flows = rows.flatMap((flow): readonly ListedFlow[] => {
    if (flow === null || (state !== undefined && !state.includes(flow.state))) return []
    if (tag !== undefined && !flow.tags.includes(tag)) return []
    if (parent_dfid !== undefined && flow.parent_dfid !== parent_dfid) return []
    return [{ ...toFlowSummary(flow), conversation }]
  })
  const last = page.at(-1)
  const next = dfids.length > limit && last !== undefined ? encodeCursor([last]) : null
  return ok({ flows, next })
}

/** As a list shows it. */
export function toFlowSummary(flow: FlowSummary): FlowSummary {
  const { dfid, agent_id, trigger, parent_dfid, root_dfid, trajectory, state } = flow
  const { tags, steps, rejections, attempts, opened_at, updated_at } = flow
  return {
    ...{ dfid, agent_id, trigger, parent_dfid, root_dfid, trajectory, state },
    ...{ tags, steps, rejections, attempts, opened_at, updated_at },
  }
}
