/**
 * Names as the numbers that the server locks. They are taken in one order by everybody, so nobody
 * waits in a circle; two names that share a number only wait for each other.
 */
import { encodeUtf8, type Sha256 } from 'rubicon-kernel'
import type { NamedStatement } from './session.ts'

export const LOCK_SHARED: NamedStatement = {
  name: 'lock_shared',
  text: 'SELECT pg_advisory_xact_lock_shared($1::bigint)',
}
export const LOCK_EXCLUSIVE: NamedStatement = {
  name: 'lock_exclusive',
  text: 'SELECT pg_advisory_xact_lock($1::bigint)',
}
/** In the order of the array. */
export const LOCK_ALL: NamedStatement = {
  name: 'lock_all',
  text: 'SELECT count(pg_advisory_xact_lock(key)) FROM unnest($1::bigint[]) AS key',
}

/**
 * `authority`: shared by whoever relies on the law, exclusive for who changes it. `sequencer`: one
 * at a time. `engine`: held for as long as a process lives. `opening`, `schema`: while it is done.
 */
export type LockKind = 'authority' | 'sequencer' | 'engine' | 'opening' | 'schema'

export function lockKey(
  kind: LockKind,
  tenant: string,
  name: string | number,
  sha256: Sha256,
): string {
  const digest = sha256(encodeUtf8(JSON.stringify(['rubicon lock', kind, tenant, name])))
  return new DataView(digest.buffer, digest.byteOffset).getBigInt64(0).toString()
}

/** Sorted, each once. There are many of them in a batch, so they are not worth a digest each. */
export function lockKeys(tenant: string, names: Iterable<string>): readonly bigint[] {
  const keys = new Set<bigint>()
  for (const name of names) keys.add(nameKey(`${tenant}\0${name}`))
  return [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/** Two walks over the text, each with its own odd multiplier; both end in a mix of all bits. */
function nameKey(text: string): bigint {
  let high = 0x2545f491
  let low = 0x5bd1e995
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x85ebca77) + high
  }
  high = Math.imul(high ^ (high >>> 15), 0xc2b2ae3d)
  low = Math.imul(low ^ (low >>> 13), 0x27d4eb2f)
  return (BigInt(high ^ (low >>> 16)) << 32n) | BigInt.asUintN(32, BigInt(low ^ (high >>> 16)))
}
