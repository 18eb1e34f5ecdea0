/** Takes the payloads of flows out that lie in an archive, and puts them back. */
import { KINDS_KEPT } from '../unit/archived-rows.ts'
import type { RestoredRow } from '../unit/unit-plan.ts'
import { type Column, createColumn } from './bulk.ts'
import type { NamedStatement } from './session.ts'

export const ARCHIVED: readonly Column<string>[] = [createColumn('dfid', 'text', (dfid) => dfid)]
export const ARCHIVE: NamedStatement = {
  name: 'archive_entries',
  text: `UPDATE entries SET payload = NULL, packed = NULL WHERE tenant = $1 AND dfid = ANY($2::text[])
    AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ${KINDS_KEPT}`,
}

export const RESTORED: readonly Column<PackedRow>[] = [
  createColumn('trajectory', 'text', (row) => row.trajectory),
  createColumn('seq', 'bigint', (row) => row.seq),
  createColumn('payload', 'text', (row) => (row.packed === null ? row.payload : null)),
  createColumn('packed', 'bytea', (row) => row.packed),
]
type PackedRow = RestoredRow & { readonly packed: Uint8Array | null }
export const RESTORE: NamedStatement = {
  name: 'restore_entries',
  text: `UPDATE entries AS e SET payload = u.payload, packed = u.packed
    FROM unnest($2::text[], $3::bigint[], $4::text[], $5::bytea[]) AS u (trajectory, seq, payload, packed)
    WHERE e.tenant = $1 AND e.trajectory = u.trajectory AND e.seq = u.seq
      AND e.payload IS NULL AND e.packed IS NULL`,
}
