/** A clock that was set, and is not followed until an operator says that it is right. */
import { type ClockAnchor, type JsonValue, LIMITS } from 'rubicon-kernel'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { closed, moment, named, string, text, whole, words } from './shape.ts'

const confirmed = named(
  'ConfirmedClock',
  whole<ClockAnchor>({
    action: words('confirm_clock'),
    clock: moment,
    last: moment,
    reason: string,
  }),
)

export function clockRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/clock/confirmation',
      operation: 'confirmClock',
      summary: 'confirm, signed and for ever visible, a clock that was set back or far forward',
      roles: ['operator'],
      body: closed({ reason: text(LIMITS.justificationLength) }, ['reason']),
      // Without a key for asking again: until the clock is confirmed nothing else is written.
      reply: confirmed,
      async handle({ body }) {
        const anchor = await engine.oversight.confirmClock(parseReason(body).reason)
        return anchor.ok ? done(anchor.value) : refused(anchor.error)
      },
    },
  ]
}

function parseReason(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}
