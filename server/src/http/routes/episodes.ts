/** Flows as a dataset for training and evaluation. */
import { createLookupHandler } from '../lookups/lookup.ts'
import { episode } from '../schemas/episode.ts'
import type { Route } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildClosedObject, buildPageSchema, cursor, identifier, limit } from '../schemas/shape.ts'

export function createEpisodeRoutes({ lookups }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/episodes',
      operation: 'listEpisodes',
      summary:
        'flows as examples to learn from: context, proposals, verdicts, outcomes; newest first',
      roles: ['operator', 'auditor'],
      query: buildClosedObject({ agent: identifier, cursor, limit }),
      reply: buildPageSchema('episodes', episode),
      handle: createLookupHandler(lookups, 'listEpisodes'),
    },
  ]
}
