/** What somebody says about the outside, labelled by who says it. */
import { assert, type JsonValue } from 'rubicon-kernel'
import type { Observation, Speaker } from 'rubicon-runtime/engine/observe'
import { isSource, type Principal } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { factLabel, textFlag } from '../schemas/fact.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  anything,
  buildArray,
  buildWholeObject,
  integer,
  moment,
  nameSchema,
  string,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const observed = nameSchema(
  'Observed',
  buildWholeObject(
    {
      path: string,
      version: integer,
      value: anything,
      before: anything,
      label: factLabel,
      flags: buildArray(textFlag),
      until: moment,
    },
    ['before', 'until'],
  ),
)

/** What members mean, and which others there may be, is said by the engine. */
const observation = nameSchema('Observation', {
  type: 'object',
  properties: {
    path: string,
    value: anything,
    observed_at: string,
    until: string,
    signature: string,
  },
  required: ['path', 'value'],
})

export function createObservationRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/observations',
      operation: 'observe',
      summary: 'report facts into State: one, or a list that is accepted whole or not at all',
      roles: ['agent', 'source', 'operator'],
      body: { anyOf: [observation, { type: 'array', items: observation }] },
      reply: buildWholeObject({ observed: buildArray(observed) }),
      async handle({ principal, body }) {
        const said = parseObservation(body)
        const observed = await engine.contextStore.observe(said, toSpeaker(principal))
        return observed.ok ? toReply({ observed: observed.value }) : toProblemReply(observed.error)
      },
    },
  ]
}

/** Whoever asks, by its session or token: the body names nobody. */
function toSpeaker(principal: Principal): Speaker {
  if (principal.kind === 'agent') return { kind: 'agent', agent_id: principal.agent_id }
  assert(principal.kind === 'person', 'a stranger does not get here')
  const { name, roles } = principal
  return isSource(roles) ? { kind: 'source', source_id: name } : { kind: 'operator', by: name }
}

/** Read strictly by the engine. */
function parseObservation(body: JsonValue): Observation {
  return body as unknown as Observation
}
