/** What an ended flow said, taken out for good on an operator's word. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Erasure } from 'rubicon-runtime/engine/erase'
import { createUnknownSpeakerFailure, identifySpeaker } from '../../people/person-asking.ts'
import { getPrincipalName, isLocalOperator, toSignedBy } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  allowNull,
  buildArray,
  buildClosedObject,
  buildMap,
  buildWholeObject,
  integer,
  nameSchema,
  string,
  text,
} from '../schemas/shape.ts'

const erasure = nameSchema(
  'Erasure',
  buildWholeObject({
    dfid: string,
    agent_id: string,
    payloads: buildArray(buildWholeObject({ trajectory: string, seq: integer, leaf: integer })),
    records: buildMap(integer),
    seq: allowNull(integer),
  }),
)

export function createErasureRoutes({ engine, lookups }: RouteParts): readonly Route[] {
  const { oversight } = engine
  return [
    {
      method: 'GET',
      path: '/v1/flows/:dfid/erasure',
      operation: 'planErasure',
      summary: 'what erasing the flow would remove; nothing is changed',
      roles: ['operator'],
      reply: erasure,
      async handle({ params }) {
        const planned = await oversight.planErasure(params.dfid ?? '')
        return planned.ok ? toReply(toErasureView(planned.value)) : toProblemReply(planned.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/erasure',
      operation: 'eraseFlow',
      summary: 'erase the payloads of an ended flow permanently',
      roles: ['operator'],
      body: buildClosedObject({ reason: text(LIMITS.justificationLength) }, ['reason']),
      once: 'erases',
      reply: erasure,
      async handle({ params, body, principal }) {
        const dfid = params.dfid ?? ''
        const { reason } = parseReason(body)
        // What is gone cannot be asked any more: whoever has it erased is somebody.
        const isAsked = principal.kind === 'person' && !isLocalOperator(principal)
        if (isAsked && !(await identifySpeaker(engine, principal)))
          return toProblemReply(createUnknownSpeakerFailure(principal))
        const erased = await oversight.erase({ dfid, reason, ...toSignedBy(principal) })
        if (!erased.ok && erased.error.code !== 'FLOW_ERASED') return toProblemReply(erased.error)
        // The index of this server, too, has nothing of it left when it is answered; also where that failed before.
        const question = {
          asker: getPrincipalName(principal),
          own: null,
          params: { dfid },
          query: {},
        }
        const forgotten = await lookups.answer('forgetFlow', question)
        if (forgotten.status !== 200) return forgotten
        return erased.ok ? toReply(toErasureView(erased.value)) : toProblemReply(erased.error)
      },
    },
  ]
}

/** The leaves of the World stand in the ledger; nobody reads them here. */
function toErasureView({ payloads, ...rest }: Erasure): object {
  return {
    ...rest,
    payloads: payloads.map(({ trajectory, seq, leaf }) => ({ trajectory, seq, leaf })),
  }
}

function parseReason(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}
