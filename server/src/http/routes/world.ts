/** The World of a trajectory at any of its entries, and what changed it. */
import { LIMITS } from 'rubicon-kernel'
import { createLookupHandler } from '../lookups/lookup.ts'
import { resourceChange, worldMoment } from '../schemas/ledger.ts'
import type { Route } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  buildClosedObject,
  buildPageSchema,
  cursor,
  identifier,
  limit,
  natural,
  text,
} from '../schemas/shape.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function createWorldRoutes({ lookups }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/trajectories/:id/world',
      operation: 'getWorld',
      summary:
        'resources by kind and id, at an entry; with `since`, those that changed after another',
      roles: READERS,
      query: buildClosedObject({ at: natural, since: natural, kind: identifier, cursor, limit }),
      reply: worldMoment,
      handle: createLookupHandler(lookups, 'getWorld'),
    },
    {
      method: 'GET',
      path: '/v1/trajectories/:id/changes',
      operation: 'listChanges',
      summary: 'entries that changed a resource, newest first',
      roles: READERS,
      query: buildClosedObject(
        {
          kind: identifier,
          resource: text(LIMITS.resourceIdLength),
          at: natural,
          cursor,
          limit,
        },
        ['kind', 'resource'],
      ),
      reply: buildPageSchema('changes', resourceChange),
      handle: createLookupHandler(lookups, 'listChanges'),
    },
  ]
}
