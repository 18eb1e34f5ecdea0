/**
 * Holds on resources (gate 4): taken together with the intent, given back with its outcome.
 *
 * L1 all or none, in the order of the kernel's plan, in the unit that makes the intent durable.
 * L2 before dispatch a hold has an end; the unit that dispatches takes the end away.
 * L3 while nobody knows what became of the effect, the hold stays and is marked.
 * L4 the unit that frees a resource after something was sent counts that, for whoever asked a source before.
 */
import {
  type ExecutionIntent,
  type ExecutionStatus,
  hasFreeCapacity,
  isSettled,
  type LockHold,
  lockRefusal,
  type Refusal,
  type ResourceNeed,
  type Sha256,
} from 'rubicon-kernel'
import { lockHolder } from '../../ports/record.ts'
import type { Guard, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { countReleases } from '../rows/release-counts.ts'

type Holder = Pick<ExecutionIntent, 'dfid' | 'step_id' | 'agent_id' | 'resources'>

type Hold = {
  readonly taken_at: string
  readonly expires_at: string | null
  readonly quarantined: boolean
}

/** Guards and writes that take every resource of the intent. */
export function takeLocks(
  holder: Holder,
  taken_at: string,
  expires_at: string | null,
): { readonly guards: readonly Guard[]; readonly writes: readonly Write[] } {
  const guards = holder.resources.map(({ id, amount, capacity = null }): Guard => {
    const name = lockHolder(holder.dfid, holder.step_id)
    return { kind: 'lock_free', resource: id, amount, capacity, holder: name }
  })
  return { guards, writes: holdWrites(holder, { taken_at, expires_at, quarantined: false }) }
}

/** What must still be held when the intent is dispatched. */
export function buildHeldGuards({ dfid, step_id, resources }: Holder): readonly Guard[] {
  return resources.map(({ id }) => {
    return { kind: 'lock_held', resource: id, holder: lockHolder(dfid, step_id) }
  })
}

/** Writes the holds once more, as they now stand. */
export function holdWrites(holder: Holder, hold: Hold): readonly Write[] {
  const { dfid, step_id, agent_id } = holder
  return holder.resources.map(({ id, amount, capacity = null }) => ({
    kind: 'put_record',
    record: 'lock',
    group: id,
    key: lockHolder(dfid, step_id),
    body: { dfid, step_id, agent_id, amount, capacity, ...hold },
  }))
}

export function dropLocks({ dfid, step_id, resources }: Holder): readonly Write[] {
  const key = lockHolder(dfid, step_id)
  return resources.map(({ id }) => ({ kind: 'drop_record', record: 'lock', group: id, key }))
}

/** What an outcome does to the holds: freed and counted when it is settled, marked while it is unknown. */
export function buildLockWrites(
  holder: Holder,
  status: ExecutionStatus,
  taken_at: string,
  sha256: Sha256,
): readonly Write[] {
  if (holder.resources.length === 0) return []
  if (isSettled(status)) return [...dropLocks(holder), ...countReleases(holder.resources, sha256)]
  const quarantined = status === 'UNKNOWN' || status === 'MANUAL_REVIEW'
  return holdWrites(holder, { taken_at, expires_at: null, quarantined })
}

/** Why a resource could not be taken, as of now. Null: it is free again meanwhile. */
export async function findHeldRefusal(
  { store }: Context,
  { resource, amount, capacity, holder }: Extract<Guard, { kind: 'lock_free' }>,
  now: string,
  waitedMs: number | null,
): Promise<Refusal | null> {
  const records = await store.listRecords('lock', resource, { limit: Number.MAX_SAFE_INTEGER })
  const holds: readonly LockHold[] = records
    .filter(({ key, body: { expires_at } }) => {
      return key !== holder && (expires_at === null || expires_at > now)
    })
    .map(({ body }) => body)
  const need: ResourceNeed = { id: resource, amount, ...(capacity === null ? {} : { capacity }) }
  return hasFreeCapacity(need, holds) ? null : lockRefusal(need, holds, waitedMs)
}
