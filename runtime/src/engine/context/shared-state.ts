/**
 * State as an event found it: read once, and shown to every flow that the event woke, each as far as its contract
 * reads it. What sources are asked for directly is asked when a flow opens.
 */
import { type Address, computeAddress, EVENT_LIMITS, type StateFact } from 'rubicon-kernel'
import type { EventRecord } from '../../ports/event-record.ts'
import type { RecordBodies } from '../../ports/record.ts'
import type { Store, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { expandPatterns, type ObservationBasis, readObservedState } from './observed-state.ts'

export type SharedState = RecordBodies['state_snapshot']

/** What one agent is shown of it. */
export type StateReader = {
  readonly patterns: readonly string[]
  readonly reads: readonly string[]
}

const GROUP = 'events'

/** `fresh`: what becomes so in the same unit, and is not stored yet. */
export async function readSharedState(
  { store }: Context,
  readers: readonly StateReader[],
  by: ObservationBasis,
  fresh: readonly StateFact[],
): Promise<SharedState> {
  const wanted = new Set(fresh.map(({ path }) => path))
  for (const { patterns, reads } of readers) {
    // Where an agent asks for too much, its opening says so.
    for (const path of (await expandPatterns(store, patterns, reads)) ?? [])
      if (wanted.size < EVENT_LIMITS.statePaths) wanted.add(path)
  }
  const paths = [...wanted].sort()
  const known = new Map(fresh.map((fact) => [fact.path, fact]))
  const others = paths.filter((path) => !known.has(path))
  const { facts } = await readObservedState(store, others, by)
  for (const fact of facts) known.set(fact.path, fact)
  return { at: by.now, paths, facts: paths.flatMap((path) => known.get(path) ?? []) }
}

export function computeSharedStateId(
  { sha256 }: Pick<Context, 'sha256'>,
  state: SharedState,
): Address {
  return computeAddress('state', state, sha256)
}

export function buildSharedStateWrite(id: Address, state: SharedState): Write {
  const row = { record: 'state_snapshot', group: GROUP, key: toKey(state.at, id) } as const
  return { kind: 'put_record', ...row, body: state }
}

/** Null: it was dropped, since nobody opened a flow on it for long. */
export async function loadSharedState(
  store: Store,
  { at, state_snapshot_id: id }: Pick<EventRecord, 'at' | 'state_snapshot_id'>,
): Promise<SharedState | null> {
  return (await store.readRecord('state_snapshot', GROUP, toKey(at, id)))?.body ?? null
}

/** Drops what was read before `until`: every flow that is to see it has opened by then. */
export async function dropSharedStates({ store }: Context, until: string): Promise<number> {
  const old = await store.listRecords('state_snapshot', GROUP, { until, limit: DROPPED_AT_ONCE })
  const drop = { kind: 'drop_record', record: 'state_snapshot', group: GROUP } as const
  if (old.length > 0)
    await store.commit({ guards: [], writes: old.map(({ key }) => ({ ...drop, key })) })
  return old.length
}

const DROPPED_AT_ONCE = 500

function toKey(at: string, id: string): string {
  return `${at} ${id}`
}
