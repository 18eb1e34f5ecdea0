/** Worlds of a trajectory, read for what they say of artifacts. */
import { err, ok, type Result } from 'rubicon-kernel'
import type { Pause, ResourceAt, WorldMoment, WorldMoments } from 'rubicon-runtime/evidence'
import { sortItemsInTurns } from 'rubicon-runtime/evidence'
import type { Store } from 'rubicon-runtime/ports'
import type { Reply } from '../../schemas/route.ts'
import {
  countTrajectoryEntries,
  refuseUnknownEntry,
  refuseUnknownTrajectory,
} from '../trajectories.ts'

export type WorldParts = { readonly store: Store; readonly moments: WorldMoments }

export type AskedMoment = {
  readonly moment: WorldMoment
  /** Entries of the trajectory until now. */
  readonly entries: number
}

/** `at`: of the last entry when nobody says. */
export async function readAskedMoment(
  { store, moments }: WorldParts,
  trajectory: string,
  at: number | undefined,
): Promise<Result<AskedMoment, Reply>> {
  const entries = await countTrajectoryEntries(store, trajectory)
  if (entries === 0) return err(refuseUnknownTrajectory(trajectory))
  const seq = at ?? entries - 1
  const moment = await moments.readMoment(trajectory, seq)
  return moment === null
    ? err(refuseUnknownEntry(trajectory, String(seq)))
    : ok({ moment, entries })
}

export function toSeq(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

type Sorted = Map<string, readonly ResourceAt[]>

/** Moments between which nothing changed share their resources: those are looked through once. */
const known = new WeakMap<WorldMoment['resources'], Sorted>()

/** Those of a kind that are there, by name. */
export async function listResources(
  { resources }: WorldMoment,
  kind: string,
  pause: Pause,
): Promise<readonly ResourceAt[]> {
  const sorted: Sorted = known.get(resources) ?? new Map()
  known.set(resources, sorted)
  const before = sorted.get(kind)
  if (before !== undefined) return before
  const found: ResourceAt[] = []
  let seen = 0
  for (const resource of resources.values()) {
    seen += 1
    if (seen % 1_024 === 0) await pause()
    if (resource.kind === kind && !resource.retracted) found.push(resource)
  }
  const list = await sortItemsInTurns(found, compareById, pause)
  sorted.set(kind, list)
  return list
}

/** By code units: the same on every machine. */
function compareById(a: ResourceAt, b: ResourceAt): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
