/** The World of a trajectory at any of its entries, and what changed it. */
import {
  type Pause,
  type ResourceChange,
  readResourceChanges,
  type WorldMoment,
  type WorldMoments,
} from 'rubicon-runtime/evidence'
import type { Store } from 'rubicon-runtime/ports'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { encodeCursor, parseNumberCursor } from '../views/list-page.ts'
import { buildWorldView } from '../views/world-view.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'
import type { PastWorlds } from './past-worlds.ts'
import {
  countTrajectoryEntries,
  refuseUnknownEntry,
  refuseUnknownTrajectory,
} from './trajectories.ts'

export function createWorldLookups(
  { store }: Pick<LookupParts, 'store'>,
  { past, moments }: PastWorlds,
): Pick<LookupTable, 'getWorld' | 'listChanges'> {
  return {
    getWorld: (question) =>
      past.ask(question, (pause) => showWorld(store, moments, question, pause)),
    listChanges: (question) => past.ask(question, (pause) => listChanges(store, question, pause)),
  }
}

async function showWorld(
  store: Store,
  moments: WorldMoments,
  { params: { id = '' }, query }: LookupRequest,
  pause: Pause,
): Promise<Reply> {
  // A cursor names the moment of its first page, so that later ones are of the same.
  const place = parseNumberCursor(query, 2)
  if (!place.ok) return place.error
  const entries = await countTrajectoryEntries(store, id)
  if (entries === 0) return refuseUnknownTrajectory(id)
  const [pinned, offset = 0] = place.value ?? []
  const seq = pinned ?? Number(query.at ?? entries - 1)
  const since = query.since === undefined ? undefined : Number(query.since)
  if (since !== undefined && since > seq)
    return refuseSchemaMismatch('query', [{ path: '/since', detail: 'it is later than `at`' }])
  const moment = await moments.readMoment(id, seq)
  if (moment === null) return refuseUnknownEntry(id, String(seq))
  const then = since === undefined ? null : await moments.readMoment(id, since)
  const shown = {
    offset,
    limit: parseLimit(query),
    entries,
    ...toKindOption(query),
    ...toSinceOption(then),
  }
  return toReply(await buildWorldView(moment, shown, pause))
}

function toKindOption({ kind }: LookupRequest['query']): { readonly kind?: string } {
  return kind === undefined ? {} : { kind }
}

function toSinceOption(since: WorldMoment | null): { readonly since?: WorldMoment } {
  return since === null ? {} : { since }
}

async function listChanges(
  store: Store,
  { params: { id = '' }, query }: LookupRequest,
  pause: Pause,
): Promise<Reply> {
  const place = parseNumberCursor(query, 1)
  if (!place.ok) return place.error
  const entries = await countTrajectoryEntries(store, id)
  if (entries === 0) return refuseUnknownTrajectory(id)
  const asked = query.at === undefined ? entries : Math.min(entries, Number(query.at) + 1)
  const ref = { kind: query.kind ?? '', id: query.resource ?? '' }
  const { changes, next } = await readResourceChanges(store, id, ref, {
    before: place.value?.[0] ?? asked,
    limit: parseLimit(query),
    pause,
  })
  return toReply({
    changes: changes.map(changeView),
    next: next === null ? null : encodeCursor([String(next)]),
  })
}

function changeView({ entry, ops }: ResourceChange): object {
  const { seq, at, dfid = null } = entry.envelope
  return { seq, leaf: entry.leaf, id: entry.id, at, dfid, ops }
}
