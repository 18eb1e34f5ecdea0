/** Flows as a list, and one of them from trigger to outcome. */
import { type ArchiveNote, LIMITS, mintDfid, ok, type Result } from 'rubicon-kernel'
import { isAboutBudget, readConversation, readFlowBudget } from 'rubicon-runtime/engine/flow'
import { readGeneration } from 'rubicon-runtime/engine/generate'
import { listFlowReviews } from 'rubicon-runtime/engine/rows'
import type { FlowFilter, FlowRow, Store, StoredEntry } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import { FLOW_STATES, FLOW_TAGS } from '../schemas/flow.ts'
import { type Reply, toJsonReply, toReply } from '../schemas/route.ts'
import { parseLimit, selectWords } from '../schemas/shape.ts'
import { serialiseAgentEntry } from '../views/agent-entry.ts'
import { serialiseEntry, toEntryView } from '../views/entry-view.ts'
import { toExecutionView } from '../views/execution-view.ts'
import { buildPage, parseCursor, parseMoment } from '../views/list-page.ts'
import { addConversations, listInConversation } from './conversations.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'

export function createFlowLookups({
  store,
  sha256,
}: Pick<LookupParts, 'store' | 'sha256'>): Pick<
  LookupTable,
  'listFlows' | 'getFlow' | 'getGeneration'
> {
  return {
    async listFlows(question) {
      const filter = parseFilter(question)
      if (!filter.ok) return filter.error
      const limit = parseLimit(question.query)
      const { conversation } = question.query
      if (conversation !== undefined)
        return listInConversation(store, filter.value, conversation, limit)
      const flows = await store.listFlowSummaries({ ...filter.value, limit: limit + 1 })
      const listed = await addConversations(store, flows)
      return toReply(buildPage('flows', listed, limit, ({ dfid }) => [dfid]))
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

function parseFilter({ own, query }: LookupRequest): Result<Omit<FlowFilter, 'limit'>, Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place
  const since = parseMoment(query, 'since')
  if (!since.ok) return since
  const until = parseMoment(query, 'until')
  if (!until.ok) return until
  const { agent, parent } = query
  const whose = own ?? agent
  const state = selectWords(FLOW_STATES, query.state)
  const tag = FLOW_TAGS.find((known) => known === query.tag)
  // Whichever is earlier.
  const [before] = [place.value?.[0], computeFirstDfid(until.value)].filter(isThere).sort()
  const from = computeFirstDfid(since.value)
  return ok({
    ...(state === undefined ? {} : { state }),
    ...(whose === undefined ? {} : { agent_id: whose }),
    ...(parent === undefined ? {} : { parent_dfid: parent }),
    ...(tag === undefined ? {} : { tag }),
    ...(before === undefined ? {} : { before }),
    ...(from === undefined ? {} : { from }),
  })
}

function refuseUnknownGeneration(id: string): Reply {
  return toProblemReply({
    code: 'GENERATION_UNKNOWN',
    summary: `the flow has no request to a model \`${id}\`, or it was erased`,
  })
}

/** The first that could be minted at that moment. */
function computeFirstDfid(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : mintDfid(moment, new Uint8Array(10))
}

function isThere(value: string | undefined): value is string {
  return value !== undefined
}

/** As JSON, with entries as whoever asks sees them. */
async function serialiseFlow(
  store: Store,
  flow: FlowRow,
  textOf: (entry: StoredEntry) => string,
): Promise<string> {
  const { dfid } = flow
  const entries = await store.listFlowEntries(dfid)
  const children = await store.listFlowSummaries({ parent_dfid: dfid, limit: LIMITS.listed })
  const executions = await store.listExecutions({ dfid, limit: LIMITS.listed })
  const besides = {
    flow,
    executions: executions.map(toExecutionView),
    children: children.map(({ dfid, agent_id, state }) => ({ dfid, agent_id, state })),
    budget: await readFlowBudget(store, flow, entries.filter(isAboutBudget).map(toEntryView)),
    ...listFlowReviews(entries),
    conversation: await readConversation(store, dfid),
    archive: await findArchive(store, dfid),
  }
  const texts = entries.map(textOf)
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
  return toProblemReply({
    code: 'FLOW_UNKNOWN',
    summary: `there is no flow \`${dfid}\``,
    fix: 'check the dfid',
  })
}
