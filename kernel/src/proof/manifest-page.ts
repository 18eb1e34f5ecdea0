/**
 * A part of a tenant's authority as a registry hands it out: entries, and the registry's signature over where they end and
 * over a word of whoever asked, so that an answer of yesterday is none of today.
 */
import type { Address } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Signature } from '../keys/key.ts'
import { AUTHORITY, computeEntryId, type Entry, hashPayload } from '../ledger/entry.ts'
import { err, ok, type Result } from '../result.ts'
import { signature } from './authority-shape.ts'
import { type ExportedEntry, entryMembers } from './exported-entry.ts'
import {
  address,
  count,
  createExactShape,
  createNullableShape,
  identifier,
  listOf,
  text,
} from './shape.ts'

/** What the registry signs (type `manifest`). */
export type ManifestBody = {
  readonly tenant: string
  /** Of whoever asked, for this question alone. */
  readonly nonce: string
  readonly from: number
  /** The last seq of all; null: there is nothing yet. */
  readonly head: number | null
  /** The last entry of this page; null: it has none. */
  readonly last: Address | null
}

export type ManifestPage = {
  readonly body: ManifestBody
  readonly entries: readonly ExportedEntry[]
  readonly signature: Signature
}

const pageShape = createExactShape({
  body: createExactShape({
    from: count,
    head: createNullableShape(count),
    last: createNullableShape(address),
    nonce: text,
    tenant: identifier,
  }),
  entries: listOf(createExactShape(entryMembers)),
  signature,
})

export function parseManifestPage(value: JsonValue): Result<ManifestPage, string> {
  const problem = pageShape(value)
  if (problem !== undefined) return err(`page ${problem}`)
  // The shape above is this type, written once more as checks.
  return ok(value as ManifestPage)
}

/** The entries of a page that hang together and end where the registry signed; else why not. */
export function readManifestEntries(
  { body, entries }: ManifestPage,
  sha256: Sha256,
): Result<readonly Entry[], string> {
  const read: Entry[] = []
  for (const { envelope, id, payload } of entries) {
    const text = payload === null ? null : toCanonicalText(payload)
    const isOfPage =
      envelope.trajectory === AUTHORITY &&
      envelope.tenant === body.tenant &&
      envelope.seq === body.from + read.length
    if (!isOfPage) return err(`entry ${envelope.seq} does not belong there`)
    const before = read.at(-1)
    if (before !== undefined && envelope.parent !== before.id)
      return err(`entry ${envelope.seq} does not follow the one before it`)
    // What authority rests on is never erased.
    const fits = text !== null && hashPayload(text, sha256) === envelope.payload_hash
    if (!fits || computeEntryId(envelope, sha256) !== id)
      return err(`entry ${envelope.seq} does not fit its hashes`)
    read.push({ envelope, id, payload: text })
  }
  return (read.at(-1)?.id ?? null) === body.last
    ? ok(read)
    : err('it does not end where the registry signed')
}
