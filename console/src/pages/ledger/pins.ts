/**
 * What the reader has pinned: a log by its first operator key, and how far it had come by then. A file
 * proves only that it is consistent; with a pin it proves that it is the log that the reader means.
 */
import {
  type Checkpoint,
  decodeBase64,
  findPublicKeyProblem,
  isObject,
  type JsonValue,
  parseCheckpoint,
  parseJson,
  parseNote,
} from 'rubicon-kernel'
import type { Trust } from 'rubicon-verifier/browser'
import type { Head } from './verification.ts'

export type Pin = {
  /** Null: of whichever tenant. */
  readonly tenant: string | null
  /** The base64 of a public key, where one is pinned. */
  readonly key: string | null
  /** A signed checkpoint, where one is pinned. */
  readonly checkpoint: string | null
  readonly pinned_at: string
}

export function serialisePins(pins: readonly Pin[]): string {
  return JSON.stringify(pins)
}

/** What the browser kept, as far as it can be read. */
export function parsePins(text: string | null): readonly Pin[] {
  const value = parseJson(text ?? '[]')
  if (!value.ok || !Array.isArray(value.value)) return []
  return value.value.flatMap((one: JsonValue) => parsePin(one) ?? [])
}

function parsePin(value: JsonValue): Pin | null {
  if (!isObject(value)) return null
  const { tenant = null, key = null, checkpoint = null, pinned_at } = value
  if (!isTextOrNull(tenant) || !isTextOrNull(key) || !isTextOrNull(checkpoint)) return null
  return typeof pinned_at === 'string' ? { tenant, key, checkpoint, pinned_at } : null
}

function isTextOrNull(value: JsonValue): value is string | null {
  return value === null || typeof value === 'string'
}

/** Something that was got elsewhere: a signed checkpoint, or the base64 of a public key. */
export function readPin(text: string, pinned_at: string): Pin | null {
  const checkpoint = parseCheckpointNote(text)
  if (checkpoint !== null)
    return { tenant: parseTenant(checkpoint.origin), key: null, checkpoint: text, pinned_at }
  const key = text.trim()
  const bytes = decodeBase64(key)
  const isKey = bytes !== undefined && findPublicKeyProblem(bytes) === undefined
  return isKey ? { tenant: null, key, checkpoint: null, pinned_at } : null
}

/** What a reader saw. A bundle is of one flow, and pins only whose log it is. */
export function createPin(
  { tenant, operator, note }: Pick<Head, 'tenant' | 'operator' | 'note'>,
  what: 'server' | 'ledger' | 'bundle',
  pinned_at: string,
): Pin {
  const checkpoint = what === 'bundle' ? null : note
  return { tenant, key: operator?.public_key ?? null, checkpoint, pinned_at }
}

/** The latest that was pinned for this tenant. */
export function findPin(pins: readonly Pin[], tenant: string): Pin | null {
  return pins.findLast((pin) => pin.tenant === null || pin.tenant === tenant) ?? null
}

/** `size`: of the checkpoint that comes with what is checked. */
export type Checked = { readonly what: 'server' | 'ledger' | 'bundle'; readonly size: number }

/**
 * What to hold it against. A checkpoint says more than a key: that nothing before it was rewritten. It
 * can be compared with a ledger that goes as far; one of the server that does not was rolled back.
 */
export function toTrust(
  { key, checkpoint: note }: Pin,
  { what, size }: Checked,
): Trust | undefined {
  const checkpoint = note === null ? null : parseCheckpointNote(note)
  const isComparable =
    what === 'server' || (what === 'ledger' && checkpoint !== null && checkpoint.size <= size)
  if (checkpoint !== null && (isComparable || key === null))
    return { kind: 'checkpoint', checkpoint }
  return key === null ? undefined : { kind: 'key', publicKey: key }
}

function parseCheckpointNote(text: string): Checkpoint | null {
  const note = parseNote(text)
  return (note.ok ? parseCheckpoint(note.value.body) : undefined) ?? null
}

/** `rubicon/<tenant>/<first operator key>/<epoch>` */
function parseTenant(origin: string): string | null {
  return origin.split('/')[1] ?? null
}
