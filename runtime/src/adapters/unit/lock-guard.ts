/**
 * Which holds count at a moment. One whose time ran out before its dispatch counts no more; one that
 * was dispatched has no time and counts until its outcome is known.
 */
import { hasFreeCapacity, parseInstant } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard } from '../../ports/store.ts'

type Lock = StoredRecord<'lock'>

export function isFree(
  { resource, amount, capacity, holder }: Extract<Guard, { kind: 'lock_free' }>,
  locks: Iterable<Lock>,
  at: string,
): boolean {
  const others = [...locks].filter((lock) => lock.key !== holder && !hasEnded(lock, at))
  const need = { id: resource, amount, ...(capacity === null ? {} : { capacity }) }
  return hasFreeCapacity(
    need,
    others.map(({ body }) => body),
  )
}

export function isHeld(
  { holder }: Extract<Guard, { kind: 'lock_held' }>,
  locks: Iterable<Lock>,
  at: string,
): boolean {
  return [...locks].some((lock) => lock.key === holder && isRunning(lock, at))
}

/** For its holder, to whom a time that cannot be read is over. */
function isRunning(lock: Lock, at: string): boolean {
  return (computeTimeLeft(lock, at) ?? 0) > 0
}

/** For everybody else, to whom a time that cannot be read is not over. */
function hasEnded(lock: Lock, at: string): boolean {
  return (computeTimeLeft(lock, at) ?? Number.POSITIVE_INFINITY) <= 0
}

/** Milliseconds; undefined where a time cannot be read. */
function computeTimeLeft({ body: { expires_at } }: Lock, at: string): number | undefined {
  if (expires_at === null) return Number.POSITIVE_INFINITY
  const now = parseInstant(at)
  const end = parseInstant(expires_at)
  return now === undefined || end === undefined ? undefined : end - now
}
