/**
 * Flows as a list. What the store can answer it answers, as of now; what asks for more is found in the search index,
 * and each row that was found is read from the store.
 */
import { mintDfid, ok, type Result } from 'rubicon-kernel'
import type { FlowFilter, Store } from 'rubicon-runtime/ports'
import { readFlowFacts, toShownAmount, toText } from '../../search/index.ts'
import { FLOW_STATES, FLOW_TAGS, type FoundFlow, type ListedFlow } from '../schemas/flow.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit, selectWords } from '../schemas/shape.ts'
import { encodeCursor, parseCursor, parseMoment } from '../views/list-page.ts'
import {
  addConversations,
  type FlowPage,
  listInConversation,
  toFlowSummary,
} from './conversations.ts'
import type { LookupRequest } from './lookup.ts'
import { refuseFilter, type Search } from './search.ts'

export async function listFlows(
  store: Store,
  search: Search,
  question: LookupRequest,
): Promise<Reply> {
  if (search.isSearch('flows', question)) return searchFlows(store, search, question)
  const filter = parseFlowFilter(question)
  if (!filter.ok) return filter.error
  const limit = parseLimit(question.query)
  const { conversation } = question.query
  const [page, { counts, indexed }] = await Promise.all([
    conversation === undefined
      ? readFlowPage(store, filter.value, limit).then(ok)
      : listInConversation(store, filter.value, conversation, limit),
    search.count('flows', question),
  ])
  if (!page.ok) return page.error
  const flows = addFoundFacts(search, page.value.flows)
  // The index knows no conversations.
  return toReply({
    ...page.value,
    flows,
    counts: conversation === undefined ? counts : null,
    indexed,
  })
}

async function readFlowPage(
  store: Store,
  filter: Omit<FlowFilter, 'limit'>,
  limit: number,
): Promise<FlowPage> {
  const flows = await store.listFlowSummaries({ ...filter, limit: limit + 1 })
  const shown = flows.slice(0, limit)
  const last = shown.at(-1)
  const next = flows.length > limit && last !== undefined ? encodeCursor([last.dfid]) : null
  return { flows: await addConversations(store, shown), next }
}

async function searchFlows(store: Store, search: Search, question: LookupRequest): Promise<Reply> {
  if (question.query.conversation !== undefined) return refuseConversation()
  const page = await search.findPage('flows', question)
  if (!page.ok) return page.error
  const { rows, next, counts, indexed } = page.value
  const read = await Promise.all(rows.map(({ dfid }) => store.readFlow(String(dfid))))
  const listed = await addConversations(store, read.filter(isThere).map(toFlowSummary))
  return toReply({ flows: addFoundFacts(search, listed), next, counts, indexed })
}

/** What the last proposal of each was about, as far as the index has come. */
export function addFoundFacts(search: Search, flows: readonly ListedFlow[]): readonly FoundFlow[] {
  const found = search.readAsIs((database) =>
    readFlowFacts(
      database,
      flows.map(({ dfid }) => dfid),
    ),
  )
  return flows.map((flow) => {
    const known = found?.get(flow.dfid) ?? {}
    const { kind, object, outcome, reason } = known
    return {
      ...flow,
      kind: toText(kind),
      object: toText(object),
      ...toShownAmount(known),
      outcome: toText(outcome),
      reason: toText(reason),
    }
  })
}

function refuseConversation(): Reply {
  const detail = 'a conversation is listed by state, agent, parent, tag and time alone'
  return refuseFilter({ path: '/conversation', detail })
}

function parseFlowFilter({ own, query }: LookupRequest): Result<Omit<FlowFilter, 'limit'>, Reply> {
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

/** The first that could be minted at that moment. */
function computeFirstDfid(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : mintDfid(moment, new Uint8Array(10))
}

function isThere<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}
