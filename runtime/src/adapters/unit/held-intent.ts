/**
 * The signed intent of a step stands in the entry that decided it. A row that is written with that entry
 * refers to it, and holds no copy of its own: `intent` is empty, `intent_seq` says where.
 */
import { isObject, type JsonValue } from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { PackedEntry } from './packed-entry.ts'

const MEMBER = '"intent":'

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
    hasIntent(holder.entry.payload ?? '', intent)
  return isHeld ? { intent: '', intent_seq: dispatched.seq } : { intent, intent_seq: null }
}

/** An intent names the hash of the facts before it, so that none of them can be a copy of it. */
function hasIntent(payload: string, intent: string): boolean {
  const at = payload.indexOf(MEMBER)
  return at !== -1 && payload.startsWith(intent, at + MEMBER.length)
}

/**
 * Undefined: the payload has none. It is cut out, not read and written again with everything around it: a list does
 * this for each of its rows. A row refers only to a payload in which the intent is the first member of that name.
 */
export function extractIntent(payload: string): string | undefined {
  const at = payload.indexOf(MEMBER)
  const text = at === -1 ? '' : extractObject(payload, at + MEMBER.length)
  return isObject(parseText(text)) ? text : undefined
}

/** The object that begins there, up to its own end; what has no end is no JSON. */
function extractObject(text: string, start: number): string {
  let depth = 0
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = findStringEnd(text, i)
    else if (code === OPENING || code === CLOSING) {
      depth += code === OPENING ? 1 : -1
      if (depth === 0) return text.slice(start, i + 1)
    }
  }
  return ''
}

const QUOTE = 0x22
const OPENING = 0x7b
const CLOSING = 0x7d
const BACKSLASH = 0x5c

function findStringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code === BACKSLASH) i += 1
  }
  return text.length
}

/** What somebody changed in the database may be no JSON any more. */
function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
