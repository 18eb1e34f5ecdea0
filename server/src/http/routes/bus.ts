/** Messages that the bus did not take: what became of them, and another try. */
import type { JsonObject } from 'rubicon-kernel'
import type { BusLetter } from 'rubicon-runtime/engine/flow'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  allowNull,
  buildClosedObject,
  buildPageSchema,
  buildWholeObject,
  count,
  cursor,
  limit,
  moment,
  nameSchema,
  open,
  parseLimit,
  string,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'

export const busLetter: JsonObject = nameSchema(
  'BusLetter',
  buildWholeObject<BusLetter>({
    id: string,
    topic: string,
    message: open,
    dfid: string,
    snapshot_id: string,
    attempts: count,
    next_at: moment,
    problem: allowNull(string),
  }),
)

export function createBusRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/bus/dead-letters',
      operation: 'listDeadLetters',
      summary: 'messages to other processes that could not be sent, oldest first',
      roles: ['operator', 'auditor'],
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('letters', busLetter),
      async handle({ query }) {
        const place = parseCursor(query, 1)
        if (!place.ok) return place.error
        const [after] = place.value ?? []
        const most = parseLimit(query)
        const from = after === undefined ? {} : { after }
        const letters = await engine.bus.listDeadLetters({ ...from, limit: most + 1 })
        return toReply(buildPage('letters', letters, most, ({ id }) => [id]))
      },
    },
    {
      method: 'POST',
      path: '/v1/bus/dead-letters/:id/replay',
      operation: 'replayDeadLetter',
      summary: 'try to send a message again',
      roles: ['operator'],
      body: buildClosedObject({}),
      reply: busLetter,
      async handle({ params: { id = '' } }) {
        const replayed = await engine.bus.replay(id)
        if (!replayed.ok) return toProblemReply(replayed.error)
        return toReply(replayed.value)
      },
    },
  ]
}
