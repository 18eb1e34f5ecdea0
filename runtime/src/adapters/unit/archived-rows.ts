/**
 * Payloads that lie in an archive: which go out of the store, and which may come back.
 *
 * A1 payloads go out only in the unit that puts the `archive` record of their flow, and come back only in the unit
 *    that drops it.
 * A2 what comes back is the payload of an entry of the flow whose own is missing, by its hash: no store takes words in
 *    that were not in it.
 */
import { assert, hashPayload, isArchivable, type Sha256 } from 'rubicon-kernel'
import type { StoredEntry, Unit, Write } from '../../ports/store.ts'
import type { RestoredRow } from './unit-plan.ts'

/** `isArchivable` as SQL, outside of the authority. */
export const KINDS_KEPT = "('root', 'branch', 'erasure', 'commit')"

export function collectArchivedFlows({ writes }: Unit): readonly string[] {
  const archived = writes.flatMap((write) => (write.kind === 'archive_flow' ? [write.dfid] : []))
  const named = writes.flatMap((write) =>
    write.kind === 'put_record' && write.record === 'archive' ? [write.key] : [],
  )
  assert(isSame(archived, named), 'payloads go out only with the note that says where they are')
  return archived
}

type Restoring = Extract<Write, { kind: 'restore_flow' }>

/** `findEntry`: as the unit sees the store. */
export function collectRestoredPayloads(
  { writes }: Unit,
  findEntry: (trajectory: string, seq: number) => StoredEntry | undefined,
  sha256: Sha256,
): readonly RestoredRow[] {
  const restoring = writes.filter((write): write is Restoring => write.kind === 'restore_flow')
  const dropped = writes.flatMap((write) =>
    write.kind === 'drop_record' && write.record === 'archive' ? [write.key] : [],
  )
  const dfids = restoring.map(({ dfid }) => dfid)
  assert(isSame(dfids, dropped), 'payloads come back only with the end of their note')
  return restoring.flatMap(({ dfid, payloads }) =>
    payloads.map((restored) => {
      const { trajectory, seq, payload } = restored
      const entry = findEntry(trajectory, seq)
      assert(entry?.payload === null, `only what is missing comes back: ${trajectory}/${seq}`)
      const { kind, payload_hash } = entry.envelope
      const fits =
        entry.envelope.dfid === dfid &&
        isArchivable(kind) &&
        hashPayload(payload, sha256) === payload_hash
      assert(fits, `what comes back is what the entry says: ${trajectory}/${seq}`)
      return { ...restored, dfid, kind }
    }),
  )
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}
