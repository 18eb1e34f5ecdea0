/** What happens, as it happens: a bell for each entry of the ledger. The ledger is the truth. */

import { getPrincipalName } from '../../people/principal.ts'
import { createEventFilter, eventQuery, LEAF_PATTERN } from '../events/event-filter.ts'
import { EventHub } from '../events/event-hub.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import type { Reply, Route, RouteRequest } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'

const LEAF = new RegExp(LEAF_PATTERN)

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies that gather answers would hold the bell.
  'x-accel-buffering': 'no',
}

export function createEventRoutes({ engine, report }: ServerParts): readonly Route[] {
  const { store, clock } = engine.context
  const hub = new EventHub({ store, clock, report })
  return [
    {
      method: 'GET',
      path: '/v1/events',
      operation: 'followEvents',
      summary: 'entries of the ledger as they are written; agents are told of their own flows',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      query: eventQuery,
      reply: 'events',
      async handle(asked) {
        const { principal, query, lastEventId = '0', ended } = asked
        if (!LEAF.test(lastEventId)) return refuseLastEventId(lastEventId)
        const stream = await hub.open({
          name: getPrincipalName(principal),
          wants: createEventFilter(principal, query),
          holds: async () => (await ended()) === null,
          ...parseAfter(asked),
        })
        if (stream === null) return buildHttpProblem('STREAMS_FULL')
        return { status: 200, body: {}, headers: HEADERS, stream }
      },
    },
  ]
}

function refuseLastEventId(lastEventId: string): Reply {
  return toProblemReply({
    code: 'SCHEMA_INVALID',
    summary: `\`Last-Event-ID\` is no leaf: \`${lastEventId}\``,
  })
}

/** What a browser says by itself when it comes back counts more than what the page said at first. */
function parseAfter({ query, lastEventId = query.after }: RouteRequest): {
  readonly after?: number
} {
  return lastEventId === undefined ? {} : { after: Number(lastEventId) }
}
