/**
 * Names as the numbers that the server locks. They are taken in one order by everybody, so nobody
 * waits in a circle; two names that share a number only wait for each other.
 */
import { type Sha256, utf8 } from 'rubicon-kernel'
import type { Statement } from './session.ts'

export const LOCK_SHARED: Statement = {
  name: 'lock_shared',
  text: 'SELECT pg_advisory_xact_lock_shared($1::bigint)',
}
export const LOCK_EXCLUSIVE: Statement = {
  name: 'lock_exclusive',
  text: 'SELECT pg_advisory_xact_lock($1::bigint)',
}
/** In the order of the array. */
export const LOCK_ALL: Statement = {
  name: 'lock_all',
  text: 'SELECT count(pg_advisory_xact_lock(key)) FROM unnest($1::bigint[]) AS key',
}

/**
 * `authority`: shared by whoever relies on the law, exclusive for who changes it. `sequencer`: one
 * at a time. `engine`: held for as long as a process lives. `opening`, `schema`: while it is done.
 */
export type LockKind = 'authority' | 'sequencer' | 'engine' | 'opening' | 'schema' | 'name'

export function lockKey(
  kind: LockKind,
  tenant: string,
  name: string | number,
  sha256: Sha256,
): string {
  const digest = sha256(utf8(JSON.stringify(['rubicon lock', kind, tenant, name])))
  return new DataView(digest.buffer, digest.byteOffset).getBigInt64(0).toString()
}

/** Sorted, each once. */
export function lockKeys(tenant: string, names: Iterable<string>, sha256: Sha256): string[] {
  const keys = new Set<bigint>()
  for (const name of names) keys.add(BigInt(lockKey('name', tenant, name, sha256)))
  return [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String)
}
