/** Flows as a list, and one of them from trigger to outcome. */
import { type ArchiveNote, LIMITS } from 'rubicon-kernel'
import { isAboutBudget, readConversation, readFlowBudget } from 'rubicon-runtime/engine/flow'
import { readGeneration } from 'rubicon-runtime/engine/generate'
import { buildFlowUnknownFailure, listFlowReviews } from 'rubicon-runtime/engine/rows'
import type { FlowRow, Store, StoredEntry } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toJsonReply, toReply } from '../schemas/route.ts'
import { serialiseAgentEntry } from '../views/agent-entry.ts'
import { serialiseEntry, toEntryView } from '../views/entry-view.ts'
import { toExecutionView } from '../views/execution-view.ts'
import { FlowLength } from './flow-length.ts'
import { listFlows } from './flow-list.ts'
import { readFlowTree } from './flow-tree.ts'
import type { LookupParts, LookupTable } from './lookup.ts'
import type { Search } from './search.ts'

export function createFlowLookups(
  { store, sha256 }: Pick<LookupParts, 'store' | 'sha256'>,
  search: Search,
): Pick<LookupTable, 'listFlows' | 'getFlow' | 'getFlowTree' | 'getGeneration'> {
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
    async getFlow({ own, params: { dfid = '' } }) {
      const flow = await store.readFlow(dfid)
      if (flow === null) return refuseUnknownFlow(dfid)
      if (own !== null && own !== flow.agent_id) return refuseForeignFlow(flow)
      return toJsonReply(
        await serialiseFlow(store, flow, own === null ? serialiseEntry : serialiseAgentEntry),
      )
    },
  }
}

function refuseUnknownGeneration(id: string): Reply {
  return toProblemReply({
    code: 'GENERATION_UNKNOWN',
    summary: `the flow has no request to a model \`${id}\`, or it was erased`,
  })
}

/** As JSON, with entries as whoever asks sees them. */
async function serialiseFlow(
  store: Store,
  flow: FlowRow,
  textOf: (entry: StoredEntry) => string,
): Promise<string> {
  const { dfid } = flow
  // Asked for at once: of one moment, where the store can.
  const [entries, children, executions, conversation, archive] = await Promise.all([
    store.listFlowEntries(dfid),
    store.listFlowSummaries({ parent_dfid: dfid, limit: LIMITS.listed }),
    store.listExecutions({ dfid, limit: LIMITS.listed }),
    readConversation(store, dfid),
    findArchive(store, dfid),
  ])
  const length = new FlowLength()
  // The newest first: by them the flow is judged, and an agent could write enough before them.
  const shown = entries.toReversed().map((entry) => length.shortenEntry(entry))
  const texts = shown.toReversed().map(textOf)
  const besides = {
    flow,
    executions: executions.map((row) => length.shortenExecution(toExecutionView(row))),
    children: children.map(({ dfid, agent_id, state }) => ({ dfid, agent_id, state })),
    budget: await readFlowBudget(store, flow, entries.filter(isAboutBudget).map(toEntryView)),
    ...listFlowReviews(entries),
    conversation,
    archive,
    withheld: length.withheld,
  }
  return `{"entries":[${texts.join(',')}],${JSON.stringify(besides).slice(1)}`
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
