/**
 * The signed intent of a step stands in the entry that decided it. A row that is written with that entry
 * refers to it, and holds no copy of its own: `intent` is empty, `intent_seq` says where.
 */
import { isObject, type JsonValue, toCanonicalText } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { PackedEntry } from './packed-entry.ts'

export type IntentColumns = { readonly intent: string; readonly intent_seq: number | null }

/** `entries`: those that are written with the row. */
export function toIntentColumns(row: ExecutionRow, entries: readonly PackedEntry[]): IntentColumns {
  const { intent, trajectory, dispatched } = row
  const holder = entries.find(({ entry: { envelope } }) => {
    return envelope.seq === dispatched.seq && envelope.trajectory === dispatched.trajectory
  })
  const isHeld =
    trajectory === dispatched.trajectory &&
    holder?.packed != null &&
    holder.entry.payload?.includes(`"intent":${intent},`) === true
  return isHeld ? { intent: '', intent_seq: dispatched.seq } : { intent, intent_seq: null }
}

/** Undefined: the payload has none. */
export function extractIntent(payload: string): string | undefined {
  const record = parseText(payload)
  return isObject(record) && isObject(record.intent) ? toCanonicalText(record.intent) : undefined
}

/** What somebody changed in the database may be no JSON any more. */
function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
