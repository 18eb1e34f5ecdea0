/**
 * Heads and seals (docs/spec/ledger.md §3): what a process says of the tree, and of the batches that
 * it writes, in the transaction that makes it so. It signs with a key that lives and ends with it, its
 * head key, which the checkpoint key of the log certifies.
 *
 * All of it is synchronous: nothing may come between a tree and its head.
 */
import { type Address, computeAddress, isAddress } from '../canonical/address.ts'
import { decodeBase64, encodeBase64, encodeHex, encodeUtf8 } from '../canonical/bytes.ts'
import { encodePreAuth, toPayloadType } from '../canonical/dsse.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { parseJson } from '../canonical/parse-json.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Signature, Signed } from '../keys/key.ts'

/** A log as far as it goes: how many leaves, and the root over them. */
export type TreeSize = { readonly size: number; readonly root: Uint8Array }

/**
 * What a head says of it. Where authority ends is said too: a column of a database says which trajectory an
 * entry is of, and a revocation that it gives to another would be missed by nobody.
 */
export type HeadedTree = TreeSize & {
  /** The authority's last entry; -1 without any. */
  readonly authority: number
}

export type HeadCertificate = Signed<{
  readonly origin: string
  readonly key_id: string
  readonly public_key: string
  readonly made_at: string
}>

export type HeadBody = {
  readonly origin: string
  readonly size: number
  readonly root: string
  readonly authority: number
}

/** A batch of entries, as whoever wrote it knows it. */
export type SealedBatch = {
  /** The tree had at least as many leaves when it was written. */
  readonly size: number
  /** The authority's last entry before it; -1 without any. */
  readonly authority: number
  /** In the order in which they were written. */
  readonly ids: readonly Address[]
}

export type SealBody = {
  readonly origin: string
  readonly batch: number
  readonly size: number
  readonly authority: number
  readonly count: number
  readonly entries: Address
}

/** A document that a head key signed, with what makes that key count. */
export type Certified<T> = Signed<T> & { readonly certificate: HeadCertificate }

/** What a certified document is held against. */
export type HeadTrust = {
  readonly origin: string
  /** The raw key of a checkpoint key that counts; undefined for every other. */
  readonly checkpointKey: (keyId: string) => Uint8Array | undefined
  readonly verify: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
  readonly sha256: Sha256
}

export function deriveHeadKeyId(publicKey: Uint8Array, sha256: Sha256): string {
  return `head-${encodeHex(sha256(publicKey)).slice(0, 16)}`
}

export function buildHeadBody(origin: string, { size, root, authority }: HeadedTree): HeadBody {
  return { origin, size, root: encodeBase64(root), authority }
}

/** `batch` counts the batches of a head key from 0. */
export function sealBody(
  origin: string,
  batch: number,
  { size, authority, ids }: SealedBatch,
  sha256: Sha256,
): SealBody {
  return {
    origin,
    batch,
    size,
    authority,
    count: ids.length,
    entries: computeBatchAddress(ids, sha256),
  }
}

export function computeBatchAddress(ids: readonly Address[], sha256: Sha256): Address {
  return computeAddress('batch', ids, sha256)
}

/** What a signature of this type covers. */
export function toSignedBytes(type: 'head-key' | 'head' | 'seal', body: JsonValue): Uint8Array {
  return encodePreAuth(toPayloadType(type), encodeUtf8(toCanonicalText(body)))
}

/** Undefined unless the text is, byte for byte, a head. */
export function parseHeadText(text: string): Certified<HeadBody> | undefined {
  const read = readCertified(text)
  const { origin, size, root, authority } = read?.body ?? {}
  if (read === undefined || typeof origin !== 'string') return undefined
  if (typeof size !== 'number' || typeof root !== 'string') return undefined
  if (typeof authority !== 'number') return undefined
  const head = { ...read, body: { origin, size, root, authority } }
  return toCanonicalText(head) === text ? head : undefined
}

/** Undefined unless the text is, byte for byte, a seal. */
export function parseSealText(text: string): Certified<SealBody> | undefined {
  const read = readCertified(text)
  const { origin, batch, size, authority, count, entries } = read?.body ?? {}
  if (read === undefined || typeof origin !== 'string') return undefined
  if (typeof batch !== 'number' || typeof size !== 'number') return undefined
  if (typeof authority !== 'number' || typeof count !== 'number') return undefined
  if (typeof entries !== 'string' || !isAddress(entries)) return undefined
  const seal = { ...read, body: { origin, batch, size, authority, count, entries } }
  return toCanonicalText(seal) === text ? seal : undefined
}

/** What is wrong with it, in words; undefined: its key is certified, and it signed this. */
export function findCertifiedProblem<T extends HeadBody | SealBody>(
  type: 'head' | 'seal',
  { body, certificate, signature }: Certified<T>,
  { origin, checkpointKey, verify, sha256 }: HeadTrust,
): string | undefined {
  if (body.origin !== origin || certificate.body.origin !== origin)
    return `it is of another log, \`${body.origin}\``
  const certifier = checkpointKey(certificate.signature.key_id)
  if (certifier === undefined)
    return `its key was certified by \`${certificate.signature.key_id}\`, which does not count`
  const key = decodeBase64(certificate.body.public_key)
  if (key === undefined || deriveHeadKeyId(key, sha256) !== certificate.body.key_id)
    return 'the key in its certificate is not the one that it names'
  const certified = toSignedBytes('head-key', certificate.body)
  if (!verify(certifier, certified, decodeSignature(certificate.signature)))
    return 'the signature of its certificate does not hold'
  if (signature.key_id !== certificate.body.key_id) return 'another key signed it'
  if (!verify(key, toSignedBytes(type, body), decodeSignature(signature)))
    return 'its signature does not hold'
  return undefined
}

function decodeSignature({ sig }: Signature): Uint8Array {
  return decodeBase64(sig) ?? new Uint8Array(0)
}

type Read = Omit<Certified<never>, 'body'> & { readonly body: JsonObject }

function readCertified(text: string): Read | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || !isObject(parsed.value)) return undefined
  const { body, certificate } = parsed.value
  if (!isObject(body) || !isObject(certificate) || !isObject(certificate.body)) return undefined
  const { origin, key_id, public_key, made_at } = certificate.body
  const signature = readSignature(parsed.value.signature)
  const certifying = readSignature(certificate.signature)
  if (signature === undefined || certifying === undefined) return undefined
  if (typeof origin !== 'string' || typeof key_id !== 'string') return undefined
  if (typeof public_key !== 'string' || typeof made_at !== 'string') return undefined
  const certified = { origin, key_id, public_key, made_at }
  return { body, certificate: { body: certified, signature: certifying }, signature }
}

function readSignature(value: JsonValue | undefined): Signature | undefined {
  if (!isObject(value)) return undefined
  const { key_id, sig } = value
  return typeof key_id === 'string' && typeof sig === 'string' ? { key_id, sig } : undefined
}
