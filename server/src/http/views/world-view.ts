/** A World as it is shown: a page of its resources, or of those that changed since another moment. */
import { toResourceName } from 'rubicon-kernel'
import {
  type Pause,
  type ResourceAt,
  sortItemsInTurns,
  type WorldMoment,
} from 'rubicon-runtime/evidence'
import { encodeCursor } from './list-page.ts'

export type WorldPage = {
  readonly kind?: string
  readonly offset: number
  readonly limit: number
  /** Only what is another than it was then. */
  readonly since?: WorldMoment
  /** Entries of the trajectory until now. */
  readonly entries: number
}

export async function buildWorldView(
  moment: WorldMoment,
  page: WorldPage,
  pause: Pause,
): Promise<object> {
  const { entry, root, unknownFrom } = moment
  const { offset, limit, since, kind: wanted, entries } = page
  const { trajectory, seq, at, kind, dfid = null } = entry.envelope
  const { sorted, kinds } = await sortResources(moment, pause)
  const meant = sorted.filter((resource) => {
    return (wanted === undefined || resource.kind === wanted) && isChanged(resource, since)
  })
  const shown = meant.slice(offset, offset + limit)
  const end = offset + shown.length
  return {
    trajectory,
    entries,
    moment: { seq, id: entry.id, at, kind, dfid },
    root,
    unknown_from: unknownFrom,
    kinds,
    total: meant.length,
    resources: shown.map((resource) => toResourceView(resource, since)),
    next: end < meant.length ? encodeCursor([String(seq), String(end)]) : null,
  }
}

/** Moments between which nothing changed share their resources: those are sorted and counted once. */
const known = new WeakMap<WorldMoment['resources'], Order>()

type Order = { readonly sorted: readonly ResourceAt[]; readonly kinds: readonly object[] }

async function sortResources({ resources }: WorldMoment, pause: Pause): Promise<Order> {
  const before = known.get(resources)
  if (before !== undefined) return before
  const sorted = await sortItemsInTurns(resources.values(), compareByName, pause)
  const order = { sorted, kinds: countKinds(sorted) }
  known.set(resources, order)
  return order
}

function isChanged(resource: ResourceAt, since: WorldMoment | undefined): boolean {
  return since === undefined || findPastState(resource, since)?.version !== resource.version
}

function findPastState({ kind, id }: ResourceAt, since: WorldMoment): ResourceAt | undefined {
  return since.resources.get(toResourceName(kind, id))
}

function toResourceView(resource: ResourceAt, since: WorldMoment | undefined): object {
  const { kind, id, last_entry, seq, at, dfid } = resource
  const then = since === undefined ? undefined : findPastState(resource, since)
  return {
    kind,
    id,
    ...toStateView(resource),
    entry: { seq, id: last_entry, at, dfid },
    ...(since === undefined ? {} : { before: then === undefined ? null : toStateView(then) }),
  }
}

function toStateView({ version, value, retracted }: ResourceAt): object {
  return { version, value, retracted }
}

/** By code units: the same on every machine. */
function compareByName(a: ResourceAt, b: ResourceAt): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1
  return a.id < b.id ? -1 : 1
}

function countKinds(resources: Iterable<ResourceAt>): readonly object[] {
  const counts = new Map<string, number>()
  for (const { kind } of resources) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, resources]) => ({ kind, resources }))
}
