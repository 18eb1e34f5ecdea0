/** Artifacts of a trajectory at any of its entries: which there are, what they hold, what changed them, what is planned. */
import { LIMITS } from 'rubicon-kernel'
import { createLookupHandler, type LookupName } from '../lookups/lookup.ts'
import {
  ARTIFACT_ANSWER,
  artifactChange,
  artifactComparison,
  artifactPage,
  artifactPlan,
  artifactSymbols,
  artifactText,
} from '../schemas/artifact.ts'
import type { Route } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  buildClosedObject,
  buildPageSchema,
  cursor,
  limit,
  natural,
  text,
} from '../schemas/shape.ts'

const READERS = ['operator', 'approver', 'auditor'] as const
const FOLDER = '/v1/trajectories/:id/artifacts'

const name = { ...text(LIMITS.resourceIdLength), minLength: 1 }
/** Of a symbol; without one, of the whole artifact. */
const path = text(ARTIFACT_ANSWER.pathLength)

type Shown = Pick<Route, 'path' | 'summary' | 'reply'> & {
  readonly operation: LookupName
  readonly query: NonNullable<Route['query']>
}

export function createArtifactRoutes({ lookups }: RouteParts): readonly Route[] {
  return ROUTES.map((route) => ({
    ...route,
    method: 'GET',
    roles: READERS,
    handle: createLookupHandler(lookups, route.operation),
  }))
}

const ROUTES: readonly Shown[] = [
  {
    path: FOLDER,
    operation: 'listWorldArtifacts',
    summary: 'artifacts by name, at an entry',
    query: buildClosedObject({ at: natural, cursor, limit }),
    reply: artifactPage,
  },
  {
    path: `${FOLDER}/symbols`,
    operation: 'listArtifactSymbols',
    summary:
      'what an artifact holds at an entry, by symbols; `below` one of them, so many levels deep',
    query: buildClosedObject({ name, at: natural, below: path, depth: limit, cursor, limit }, [
      'name',
    ]),
    reply: artifactSymbols,
  },
  {
    path: `${FOLDER}/text`,
    operation: 'getArtifactText',
    summary: 'a symbol of an artifact as it is written at an entry; without `path`, all of it',
    query: buildClosedObject({ name, path, at: natural }, ['name']),
    reply: artifactText,
  },
  {
    path: `${FOLDER}/changes`,
    operation: 'listArtifactChanges',
    summary:
      'entries that changed what artifacts hold, newest first; `before` a seq; of one or of all',
    query: buildClosedObject({ name, before: natural, cursor, limit }),
    reply: buildPageSchema('changes', artifactChange),
  },
  {
    path: `${FOLDER}/comparison`,
    operation: 'compareArtifact',
    summary: 'what differs in an artifact between two entries, by structure and by lines',
    query: buildClosedObject({ name, from: natural, to: natural }, ['name', 'from']),
    reply: artifactComparison,
  },
  {
    path: `${FOLDER}/plans`,
    operation: 'listArtifactPlans',
    summary: 'open plans at an entry, with what they claim',
    query: buildClosedObject({ at: natural, cursor, limit }),
    reply: buildPageSchema('plans', artifactPlan),
  },
]
