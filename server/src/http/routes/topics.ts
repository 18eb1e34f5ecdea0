/** What wakes agents: topics with whom they wake, and the events that did. */
import { AUTHORITY } from 'rubicon-kernel'
import { listTopics } from 'rubicon-runtime/engine/flow'
import { createLookupHandler } from '../lookups/lookup.ts'
import { type Route, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  buildClosedObject,
  buildPageSchema,
  cursor,
  limit,
  parseLimit,
  text,
} from '../schemas/shape.ts'
import { eventAccount, listedEvent, listedTopic } from '../schemas/topic.ts'
import { SlowReads, toSlowReadCaller } from '../turns/slow-reads.ts'
import { buildPage, parseNumberCursor } from '../views/list-page.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

/** A path of State, with a star at its end. */
const topic = text(129)

export function createTopicRoutes({ engine, lookups }: RouteParts): readonly Route[] {
  const { store, authorities, clock } = engine.context
  const reads = new SlowReads(clock)
  return [
    {
      method: 'GET',
      path: '/v1/topics',
      operation: 'listTopics',
      summary: 'what wakes agents: topics of the rules and of contracts, with who listens',
      roles: READERS,
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('topics', listedTopic),
      handle: (asked) =>
        reads.ask(toSlowReadCaller(asked), async (pause) => {
          const { query } = asked
          const place = parseNumberCursor(query, 1)
          if (!place.ok) return place.error
          const from = place.value?.[0] ?? 0
          const most = parseLimit(query)
          const { now } = await store.readNow(AUTHORITY)
          const range = { from, limit: most + 1 }
          const page = await listTopics(await authorities.loadLatest(), now, range, pause)
          return toReply(buildPage('topics', page, most, () => [String(from + most)]))
        }),
    },
    {
      method: 'GET',
      path: '/v1/topic-events',
      operation: 'listTopicEvents',
      summary: 'events that woke agents, newest first; a page of one topic may be short',
      roles: READERS,
      query: buildClosedObject({ topic, cursor, limit }),
      reply: buildPageSchema('events', listedEvent),
      handle: createLookupHandler(lookups, 'listTopicEvents'),
    },
    {
      method: 'GET',
      path: '/v1/topic-events/:id',
      operation: 'getTopicEvent',
      summary: 'an event: what was observed, who was woken, what they proposed, and who won',
      roles: READERS,
      reply: eventAccount,
      handle: createLookupHandler(lookups, 'getTopicEvent'),
    },
  ]
}
