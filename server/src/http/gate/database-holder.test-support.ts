/** Somebody who holds the database of a runtime, and no key. */
import assert from 'node:assert/strict'
import { computeEntryId, hashPayload } from 'rubicon-kernel'
import { sha256 } from '../../../../runtime/src/adapters/system/sha256.ts'
import type { Runtime } from '../../../../runtime/src/compose.ts'
import type { StoredEntry } from '../../../../runtime/src/ports/store.ts'

export type Sql = (text: string) => Promise<readonly Record<string, unknown>[]>

/** An entry once more behind the last of its trajectory, as well made as the runtime would make it. */
export async function insertCopy(
  { store }: Pick<Runtime, 'store'>,
  sql: Sql,
  { envelope: { trajectory, kind, at, dfid }, payload }: StoredEntry,
  change: (payload: string) => string = (same) => same,
): Promise<void> {
  const head = (await store.listHeads()).find((one) => one.trajectory === trajectory)
  const text = change(payload ?? '')
  const base = { v: 2, tenant: store.tenant, trajectory, kind, at } as const
  const [seq, parent] = [(head?.seq ?? 0) + 1, head?.id ?? null]
  const flow = dfid === undefined ? {} : { dfid }
  const payload_hash = hashPayload(text, sha256)
  const id = computeEntryId({ ...base, ...flow, seq, parent, payload_hash }, sha256)
  const quoted = [
    base.tenant,
    trajectory,
    id,
    parent,
    kind,
    at,
    dfid ?? null,
    payload_hash,
    text,
  ].map((value) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`))
  await sql(`INSERT INTO entries (tenant, trajectory, id, parent, kind, at, dfid, payload_hash,
      payload, v, seq, authority_head)
    SELECT ${quoted.join()}, 2, ${seq}, CASE WHEN '${trajectory}' = 'authority' THEN ${seq}
      ELSE seq END FROM trajectories WHERE trajectory = 'authority';
    UPDATE trajectories SET seq = ${seq}, id = '${id}' WHERE trajectory = '${trajectory}'`)
}

export async function findLastEntry(
  { store }: Pick<Runtime, 'store'>,
  trajectory: string,
  isIt: (entry: StoredEntry) => boolean,
): Promise<StoredEntry> {
  const entry = (await store.listEntries(trajectory, 0, 100)).findLast(isIt)
  return entry ?? assert.fail('there is no such entry')
}
