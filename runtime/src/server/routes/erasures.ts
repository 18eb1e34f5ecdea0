/** What an ended flow said, taken out for good on an operator's word. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Erasure } from '../../engine/erase/erase-flow.ts'
import { createUnknownSpeakerFailure, identifySpeaker } from '../person-asking.ts'
import { toSignedBy } from '../principal.ts'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { closed, integer, many, mapOf, named, orNull, string, text, whole } from './shape.ts'

const erasure = named(
  'Erasure',
  whole({
    dfid: string,
    agent_id: string,
    payloads: many(whole({ trajectory: string, seq: integer, leaf: integer })),
    records: mapOf(integer),
    seq: orNull(integer),
  }),
)

export function erasureRoutes({ engine }: ServerParts): readonly Route[] {
  const { oversight } = engine
  return [
    {
      method: 'GET',
      path: '/v1/flows/:dfid/erasure',
      operation: 'planErasure',
      summary: 'what erasing the flow would take out; nothing is changed',
      roles: ['operator'],
      reply: erasure,
      async handle({ params }) {
        const planned = await oversight.planErasure(params.dfid ?? '')
        return planned.ok ? done(viewOf(planned.value)) : refused(planned.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/erasure',
      operation: 'eraseFlow',
      summary: 'take out what an ended flow said, for good',
      roles: ['operator'],
      body: closed({ reason: text(LIMITS.justificationLength) }, ['reason']),
      once: true,
      reply: erasure,
      async handle({ params, body, principal }) {
        const dfid = params.dfid ?? ''
        const { reason } = parseReason(body)
        // What is gone cannot be asked any more: whoever has it erased is somebody.
        if (principal.kind === 'person' && !(await identifySpeaker(engine, principal)))
          return refused(createUnknownSpeakerFailure(principal))
        const erased = await oversight.erase({ dfid, reason, ...toSignedBy(principal) })
        return erased.ok ? done(viewOf(erased.value)) : refused(erased.error)
      },
    },
  ]
}

/** The leaves of the World stand in the ledger; nobody reads them here. */
function viewOf({ payloads, ...rest }: Erasure): object {
  return {
    ...rest,
    payloads: payloads.map(({ trajectory, seq, leaf }) => ({ trajectory, seq, leaf })),
  }
}

function parseReason(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}
