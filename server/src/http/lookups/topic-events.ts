/** Events that woke agents: as a list, and one of them with what its agents answered. */

import { readEventAccount, readEventPayload, readEventStanding } from 'rubicon-runtime/engine/flow'
import { findEntries } from 'rubicon-runtime/engine/ledger'
import type { Store } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import type { ListedEvent } from '../schemas/topic.ts'
import { type Pause, SlowReads } from '../turns/slow-reads.ts'
import { encodeCursor, parseNumberCursor } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'

/** Names of one event that a list shows. */
const FEW = 8

export function createTopicEventLookups({
  store,
  clock,
}: Omit<LookupParts, 'sha256'>): Pick<LookupTable, 'listTopicEvents' | 'getTopicEvent'> {
  const reads = new SlowReads(clock)
  return {
    listTopicEvents: (question) =>
      reads.ask(question, (pause) => listEvents(store, question, pause)),
    getTopicEvent: (question) =>
      reads.ask(question, async (pause) => {
        const { id = '' } = question.params
        const account = await readEventAccount(store, id, pause)
        return account === null ? refuseUnknownEvent(id) : toReply(account)
      }),
  }
}

/** Of one topic a page may be shorter than its limit, with others after it. */
async function listEvents(store: Store, { query }: LookupRequest, pause: Pause): Promise<Reply> {
  const before = parseNumberCursor(query, 1)
  if (!before.ok) return before.error
  const { found, next } = await findEntries(
    store,
    { facts: { kind: ['event'] } },
    {
      limit: parseLimit(query),
      pause,
      ...(before.value === undefined ? {} : { before: before.value[0] ?? 0 }),
    },
  )
  const events: ListedEvent[] = []
  for (const { entry } of found) {
    const event = readEventPayload(entry)
    if (event === null || (query.topic !== undefined && query.topic !== event.topic)) continue
    await pause()
    const { event_id, topic, observations, woken, not_woken } = event
    events.push({
      event_id,
      topic,
      at: entry.envelope.at,
      leaf: entry.leaf,
      paths: observations.slice(0, FEW).map(({ path }) => path),
      agents: woken.slice(0, FEW).map(({ agent }) => agent),
      woken: woken.length,
      not_woken: not_woken.length,
      ...(await readEventStanding(store, event_id)),
    })
  }
  return toReply({ events, next: next === null ? null : encodeCursor([String(next)]) })
}

function refuseUnknownEvent(id: string): Reply {
  return toProblemReply({ code: 'EVENT_UNKNOWN', summary: `there is no event \`${id}\`` })
}
