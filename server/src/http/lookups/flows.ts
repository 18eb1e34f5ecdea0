/** Flows as a list, and one of them from trigger to outcome. */
import { type ArchiveNote, LIMITS } from 'rubicon-kernel'
import { readConversation, readFlowBudget } from 'rubicon-runtime/engine/flow'
import { readGeneration } from 'rubicon-runtime/engine/generate'
import { buildFlowUnknownFailure, isErased } from 'rubicon-runtime/engine/rows'
import type { FlowRow, Store, StoredEntry } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toJsonReply, toReply } from '../schemas/route.ts'
import { SlowReads } from '../turns/slow-reads.ts'
import { serialiseAgentEntry } from '../views/agent-entry.ts'
import { serialiseEntry } from '../views/entry-view.ts'
import { listFlows } from './flow-list.ts'
import { readFlowTree } from './flow-tree.ts'
import type { LookupParts, LookupTable } from './lookup.ts'
import type { Search } from './search.ts'
import { type FlowParts, readLongFlow, readShortFlow } from './whole-flow.ts'

export function createFlowLookups(
  { store, sha256, clock }: Pick<LookupParts, 'store' | 'sha256' | 'clock'>,
  search: Search,
): Pick<LookupTable, 'listFlows' | 'getFlow' | 'getFlowTree' | 'getGeneration'> {
  const longFlows = new SlowReads(clock)
  return {
    listFlows: (question) => listFlows(store, search, question),
    async getFlowTree(question) {
      const tree = await readFlowTree(store, search, question)
      return tree ?? refuseUnknownFlow(question.params.dfid ?? '')
    },
    async getGeneration({ params: { dfid = '', id = '' } }) {
      const kept = await readGeneration({ store, sha256 }, dfid, id)
      if (kept === null) return refuseUnknownGeneration(id)
      return toReply({ dfid, generation_id: id, ...kept })
    },
    async getFlow(question) {
      const {
        own,
        params: { dfid = '' },
      } = question
      const flow = await store.readFlow(dfid)
      if (flow === null) return refuseUnknownFlow(dfid)
      if (own !== null && own !== flow.agent_id) return refuseForeignFlow(flow)
      const textOf = own === null ? serialiseEntry : serialiseAgentEntry
      const short = await readShortFlow(store, dfid, textOf)
      if (short !== null) return toJsonReply(await serialiseFlow(store, flow, short))
      return longFlows.ask(question, (pause) => answerLong({ store, dfid, textOf, pause }))
    },
  }
}

function refuseUnknownGeneration(id: string): Reply {
  return toProblemReply({
    code: 'GENERATION_UNKNOWN',
    summary: `the flow has no request to a model \`${id}\`, or it was erased`,
  })
}

type LongFlow = {
  readonly store: Store
  readonly dfid: string
  readonly textOf: (entry: StoredEntry) => string
  readonly pause: () => Promise<unknown>
}

/** The row is read last: of a flow that was erased meanwhile nothing is shown that was read before. */
async function answerLong({ store, dfid, textOf, pause }: LongFlow): Promise<Reply> {
  for (let isKnownErased = false; ; isKnownErased = true) {
    const parts = await readLongFlow(store, dfid, textOf, pause)
    const flow = await store.readFlow(dfid)
    if (flow === null) return refuseUnknownFlow(dfid)
    if (isKnownErased || !isErased(flow))
      return toJsonReply(await serialiseFlow(store, flow, parts))
  }
}

/** As JSON. */
async function serialiseFlow(
  store: Store,
  flow: FlowRow,
  { entries, executions, aboutBudget, reviews, withheld }: FlowParts,
): Promise<string> {
  const { dfid } = flow
  const [children, conversation, archive, budget] = await Promise.all([
    store.listFlowSummaries({ parent_dfid: dfid, limit: LIMITS.listed }),
    readConversation(store, dfid),
    findArchive(store, dfid),
    readFlowBudget(store, flow, aboutBudget),
  ])
  const besides = {
    flow,
    executions,
    children: children.map(({ dfid, agent_id, state }) => ({ dfid, agent_id, state })),
    budget,
    ...reviews,
    conversation,
    archive,
    withheld,
  }
  return `{"entries":[${entries.join(',')}],${JSON.stringify(besides).slice(1)}`
}

async function findArchive(
  store: Store,
  dfid: string,
): Promise<Pick<ArchiveNote['body'], 'file' | 'archive' | 'archived_at'> | null> {
  const note = await store.readRecord('archive', 'flows', dfid)
  if (note === null) return null
  const { file, archive, archived_at } = note.body.body
  return { file, archive, archived_at }
}

function refuseForeignFlow({ dfid }: FlowRow): Reply {
  return toProblemReply({
    code: 'IDENTITY_MISMATCH',
    summary: `flow \`${dfid}\` is not one of yours`,
    fix: 'use a flow of your own',
  })
}

function refuseUnknownFlow(dfid: string): Reply {
  return toProblemReply(buildFlowUnknownFailure(dfid))
}
