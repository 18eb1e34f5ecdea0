/** The World of a trajectory at any of its entries, and what changed it. */
import { setImmediate as turn } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import { type ResourceChange, resourceChanges } from '../../evidence/resource-changes.ts'
import { type Moment, WorldMoments } from '../../evidence/world-moments.ts'
import type { Store } from '../../ports/store.ts'
import { cursorOf, parseNumberCursor } from '../list-page.ts'
import { misfit } from '../misfit.ts'
import { PastQuestions, type Pause } from '../past-questions.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { resourceChange, worldMoment } from '../schemas/ledger.ts'
import type { ServerParts } from '../server.ts'
import { worldView } from '../world-view.ts'
import { closed, cursor, identifier, limit, limitOf, natural, page, text } from './shape.ts'
import { lengthOf, unknownEntry, unknownTrajectory } from './trajectories.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function worldRoutes({ engine }: ServerParts): readonly Route[] {
  const { store, clock } = engine.context
  const past = new PastQuestions(clock)
  const moments = new WorldMoments(store, () => turn())
  return [
    {
      method: 'GET',
      path: '/v1/trajectories/:id/world',
      operation: 'getWorld',
      summary:
        'resources by kind and id, at an entry; with `since`, those that changed after another',
      roles: READERS,
      query: closed({ at: natural, since: natural, kind: identifier, cursor, limit }),
      reply: worldMoment,
      handle: (asked) => past.ask(() => showWorld(store, moments, asked)),
    },
    {
      method: 'GET',
      path: '/v1/trajectories/:id/changes',
      operation: 'listChanges',
      summary: 'entries that changed a resource, newest first',
      roles: READERS,
      query: closed(
        {
          kind: identifier,
          resource: text(LIMITS.resourceIdLength),
          at: natural,
          cursor,
          limit,
        },
        ['kind', 'resource'],
      ),
      reply: page('changes', resourceChange),
      handle: (asked) => past.ask((pause) => listChanges(store, asked, pause)),
    },
  ]
}

async function showWorld(
  store: Store,
  moments: WorldMoments,
  { params: { id = '' }, query }: Asked,
): Promise<Reply> {
  // A cursor names the moment of its first page, so that later ones are of the same.
  const place = parseNumberCursor(query, 2)
  if (!place.ok) return place.error
  const entries = await lengthOf(store, id)
  if (entries === 0) return unknownTrajectory(id)
  const [pinned, offset = 0] = place.value ?? []
  const seq = pinned ?? Number(query.at ?? entries - 1)
  const since = query.since === undefined ? undefined : Number(query.since)
  if (since !== undefined && since > seq)
    return misfit('query', [{ path: '/since', detail: 'it is after the moment itself' }])
  const moment = await moments.at(id, seq)
  if (moment === null) return unknownEntry(id, String(seq))
  const then = since === undefined ? null : await moments.at(id, since)
  return done(
    worldView(moment, { offset, limit: limitOf(query), entries, ...kindOf(query), ...was(then) }),
  )
}

function kindOf({ kind }: Asked['query']): { readonly kind?: string } {
  return kind === undefined ? {} : { kind }
}

function was(since: Moment | null): { readonly since?: Moment } {
  return since === null ? {} : { since }
}

async function listChanges(
  store: Store,
  { params: { id = '' }, query }: Asked,
  pause: Pause,
): Promise<Reply> {
  const place = parseNumberCursor(query, 1)
  if (!place.ok) return place.error
  const entries = await lengthOf(store, id)
  if (entries === 0) return unknownTrajectory(id)
  const asked = query.at === undefined ? entries : Math.min(entries, Number(query.at) + 1)
  const ref = { kind: query.kind ?? '', id: query.resource ?? '' }
  const { changes, next } = await resourceChanges(store, id, ref, {
    before: place.value?.[0] ?? asked,
    limit: limitOf(query),
    pause,
  })
  return done({
    changes: changes.map(changeView),
    next: next === null ? null : cursorOf([String(next)]),
  })
}

function changeView({ entry, ops }: ResourceChange): object {
  const { seq, at, dfid = null } = entry.envelope
  return { seq, leaf: entry.leaf, id: entry.id, at, dfid, ops }
}
