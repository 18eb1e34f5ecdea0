/** Decisions of the past: what the playground is fed with. */
import { createLookupHandler } from '../lookups/lookup.ts'
import { decisionRow } from '../schemas/decision.ts'
import type { Route } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  buildClosedObject,
  buildEnum,
  buildPageSchema,
  cursor,
  identifier,
  limit,
} from '../schemas/shape.ts'

export function createDecisionRoutes({ lookups }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/decisions',
      operation: 'listDecisions',
      summary: 'decisions, by the flows they were made in, the newest flow first; no flow is cut',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({
        agent: identifier,
        kind: identifier,
        outcome: buildEnum('ACCEPTED', 'REJECTED', 'ESCALATED'),
        cursor,
        limit,
      }),
      reply: buildPageSchema('decisions', decisionRow),
      handle: createLookupHandler(lookups, 'listDecisions'),
    },
  ]
}
