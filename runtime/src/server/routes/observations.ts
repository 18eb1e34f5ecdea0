/** What somebody says about the outside, labelled by who says it. */
import type { JsonValue } from 'rubicon-kernel'
import type { Observation } from '../../engine/layers/observe.ts'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import { factLabel } from '../schemas/fact.ts'
import type { ServerParts } from '../server.ts'
import { anything, integer, many, named, string, whole } from './shape.ts'

const observed = named(
  'Observed',
  whole(
    {
      path: string,
      version: integer,
      value: anything,
      before: anything,
      label: factLabel,
      flags: many(string),
    },
    ['before'],
  ),
)

export function observationRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/observations',
      operation: 'observe',
      summary: 'facts into State: one, or a list that is taken whole or not at all',
      roles: ['agent', 'operator'],
      // Which is wrong, and why, is said by the engine.
      body: { anyOf: [{ type: 'object' }, { type: 'array' }] },
      reply: whole({ observed: many(observed) }),
      async handle({ principal, body }) {
        const by = principal.kind === 'agent' ? 'agent' : 'operator'
        const observed = await engine.contextStore.observe(parseObservation(body), { by })
        return observed.ok ? done({ observed: observed.value }) : refused(observed.error)
      },
    },
  ]
}

/** Read strictly by the engine. */
function parseObservation(body: JsonValue): Observation {
  return body as unknown as Observation
}
