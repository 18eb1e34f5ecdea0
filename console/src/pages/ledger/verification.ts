/** What came of checking a ledger or a bundle, as the page shows it. */
import {
  type BundleEntry,
  type Checkpoint,
  computeNoteKeyId,
  decodeBase64,
  encodeBase64,
  formatVerifierKey,
  isEqualBytes,
  type KeyRecord,
  type Note,
  parseCheckpoint,
  parseNote,
  type Sha256,
} from 'rubicon-kernel'
import type { Finding, Report } from 'rubicon-verifier/browser'
import type { Pin } from './pins.ts'

/** What a file says of itself. */
export type Head = {
  readonly tenant: string
  readonly note: string
  readonly size: number
  readonly root: string
  /** The first operator key: whose log it is. */
  readonly operator: KeyRecord | null
  /** Who signed the checkpoint. */
  readonly signer: KeyRecord | null
  /** What others verify it with. */
  readonly verifierKey: string | null
}

export type Verified = {
  readonly what: 'server' | 'ledger' | 'bundle'
  readonly report: Report
  readonly head: Head | null
  /** What it was held against. */
  readonly pin: Pin | null
  /** The time of the last entry. */
  readonly until: string | null
  readonly bad: BadEntry | null
  /** Of a bundle that can be read. */
  readonly flow: { readonly dfid: string; readonly entries: readonly BundleEntry[] } | null
  readonly ms: number
}

/** The first finding, and the line that it was found in, as it came. */
export type BadEntry = { readonly finding: Finding; readonly line: string | null }

type Stated = {
  readonly checkpoint: string
  readonly tenant: string
  readonly keys: readonly KeyRecord[]
}

/** Null: the checkpoint cannot be read. */
export function parseHead({ checkpoint: note, tenant, keys }: Stated, sha256: Sha256): Head | null {
  const parsed = parseNote(note)
  const checkpoint = parsed.ok ? parseCheckpoint(parsed.value.body) : undefined
  if (!parsed.ok || checkpoint === undefined) return null
  const signer = findSigner(parsed.value, checkpoint, keys, sha256)
  return {
    tenant,
    note,
    size: checkpoint.size,
    root: encodeBase64(checkpoint.root),
    operator: keys.find(({ purpose }) => purpose === 'operator') ?? null,
    signer: signer?.record ?? null,
    verifierKey:
      signer === null ? null : formatVerifierKey({ name: checkpoint.origin, ...signer }, sha256),
  }
}

/** Whose signature it bears; whether that holds is the verifier's to say. */
function findSigner(
  { signatures }: Note,
  { origin }: Checkpoint,
  keys: readonly KeyRecord[],
  sha256: Sha256,
): { readonly record: KeyRecord; readonly publicKey: Uint8Array } | null {
  for (const record of keys) {
    const publicKey = decodeBase64(record.public_key)
    if (publicKey === undefined) continue
    const id = computeNoteKeyId(origin, publicKey, sha256)
    if (signatures.some(({ name, keyId }) => name === origin && isEqualBytes(keyId, id)))
      return { record, publicKey }
  }
  return null
}
