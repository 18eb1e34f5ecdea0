import type { JsonValue } from 'rubicon-kernel'
import type { StoredEntry } from 'rubicon-runtime/ports'

/** An entry of the ledger as it is shown: where it stands, and what it says. */
export type EntryView = {
  readonly trajectory: string
  readonly seq: number
  /** Null: it has no place in the tree yet. */
  readonly leaf: number | null
  readonly id: string
  readonly kind: string
  readonly at: string
  /** Null: it was erased, or is too long to be shown with the others. */
  readonly payload: JsonValue
}

export function toEntryView({ id, leaf, envelope, payload }: StoredEntry): EntryView {
  const { trajectory, seq, kind, at } = envelope
  return { trajectory, seq, leaf, id, kind, at, payload: parseStored(payload) }
}

/**
 * The same, as JSON. The payload is canonical JSON in the store and stands in it as it is: to read and to
 * write it again would be most of the work.
 */
export function serialiseEntry({ id, leaf, envelope, payload }: StoredEntry): string {
  const { trajectory, seq, kind, at } = envelope
  const place = JSON.stringify({ trajectory, seq, leaf, id, kind, at })
  return `${place.slice(0, -1)},"payload":${payload ?? 'null'}}`
}

/** Our own store's payloads are canonical JSON. */
function parseStored(payload: string | null): JsonValue {
  return payload === null ? null : (JSON.parse(payload) as JsonValue)
}
