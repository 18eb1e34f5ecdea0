/**
 * Where the payloads of a flow are that were moved out of the store: an operator's signed word, kept beside the ledger
 * and no part of it. Whoever holds the database can take a payload out; only with this word it counts as archived.
 */
import { decodeBase64, encodeUtf8 } from '../canonical/bytes.ts'
import { encodePreAuth, toPayloadType } from '../canonical/dsse.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { KeyRecord, Signature } from '../keys/key.ts'
import type { EntryKind } from '../ledger/entry.ts'
import { signature } from './authority-shape.ts'
import { isErasable } from './payload-shape.ts'
import { count, createExactShape, identifier, instant, listOf, type Shape, text } from './shape.ts'

export const ARCHIVE_FORMAT = 'rubicon/archive/1'

export type ArchiveNote = {
  readonly body: {
    /** `sha256:` and the SHA-256 of the file, as `sha256sum` prints it. */
    readonly archive: string
    readonly archived_at: string
    readonly dfid: string
    /** What the file was called when it was written; only for people. */
    readonly file: string
    /** Of each payload that was moved, the index of its entry in the tree. */
    readonly leaves: readonly number[]
    readonly tenant: string
  }
  readonly signature: Signature
}

/** What is not erasable stays, and so do commits: of them the World is made. */
export function isArchivable(kind: EntryKind): boolean {
  return isErasable(kind) && kind !== 'commit'
}

const note: Shape = createExactShape({
  body: createExactShape({
    archive: text,
    archived_at: instant,
    dfid: identifier,
    file: text,
    leaves: listOf(count),
    tenant: identifier,
  }),
  signature,
})

/** Undefined: it has another form. */
export function parseArchiveNote(value: JsonValue): ArchiveNote | undefined {
  // The shape above is this type, written once more as a check.
  return note(value) === undefined ? (value as ArchiveNote) : undefined
}

export type NoteTrust = {
  readonly tenant: string
  readonly findKey: (keyId: string) => KeyRecord | undefined
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}

/**
 * What is wrong with it, in words. It stands nowhere in the tree, so that nobody can say when it was signed: a key
 * that was retired signed it in its time; with one that was compromised anybody could have.
 */
export function findArchiveNoteProblem(
  { body, signature: signed }: ArchiveNote,
  { tenant, findKey, verify }: NoteTrust,
): string | undefined {
  if (body.tenant !== tenant) return `it is of tenant \`${body.tenant}\``
  const key = findKey(signed.key_id)
  if (key?.purpose !== 'operator') return `\`${signed.key_id}\` is no operator key`
  if (key.compromised_since_seq !== undefined) return `\`${key.key_id}\` was compromised`
  const message = encodePreAuth(toPayloadType('archive'), encodeUtf8(toCanonicalText(body)))
  const [raw, sig] = [decodeBase64(key.public_key), decodeBase64(signed.sig)]
  const holds = raw !== undefined && sig !== undefined && verify(raw, message, sig)
  return holds ? undefined : 'its signature does not hold'
}
