/** A clock that was set, and is not followed until an operator says that it is right. */
import { type ClockAnchor, type JsonValue, LIMITS } from 'rubicon-kernel'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  moment,
  nameSchema,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const confirmed = nameSchema(
  'ConfirmedClock',
  buildWholeObject<ClockAnchor>({
    action: buildEnum('confirm_clock'),
    clock: moment,
    last: moment,
    reason: string,
  }),
)

export function createClockRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/clock/confirmation',
      operation: 'confirmClock',
      summary: 'confirm a clock that was set back or far forward; signed and recorded',
      roles: ['operator'],
      body: buildClosedObject({ reason: text(LIMITS.justificationLength) }, ['reason']),
      // Without a key for asking again: until the clock is confirmed nothing else is written.
      reply: confirmed,
      async handle({ body }) {
        const anchor = await engine.oversight.confirmClock(parseReason(body).reason)
        return anchor.ok ? toReply(anchor.value) : toProblemReply(anchor.error)
      },
    },
  ]
}

function parseReason(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}
