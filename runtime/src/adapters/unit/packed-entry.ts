import { AUTHORITY } from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import { packText } from './packed-text.ts'

/** An entry on its way into a database; `packed` is null where its payload is stored as text. */
export type PackedEntry = { readonly entry: StoredEntry; readonly packed: Uint8Array | null }

/** Few entries are of the authority, and views read contracts of all agents: those stay texts. */
export function packEntry(entry: StoredEntry): PackedEntry {
  const { envelope, payload } = entry
  const isKept = payload === null || envelope.trajectory === AUTHORITY
  return { entry, packed: isKept ? null : packText(payload, envelope.kind) }
}
