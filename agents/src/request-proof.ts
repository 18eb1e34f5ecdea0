/**
 * Proof with every request of an agent that it holds the key of its session: an HTTP message signature
 * (RFC 9421) in one fixed form, over the digest of the body (RFC 9530). Whoever signs and whoever checks
 * have the form from here.
 */
import { encodeBase64, encodeUtf8 } from 'rubicon-kernel/canonical'

/** What is signed of a request. */
export type Provable = {
  /** Of HTTP. */
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  /** The header with the token of the session. */
  readonly authorization: string
  /** Its `Idempotency-Key`, if it has one: under another the same request would be another intention. */
  readonly key?: string | undefined
}

/** What stands in the headers beside the signature. */
export type ProofTerms = {
  /** Seconds since 1970. */
  readonly created: number
  /** Never used before by this agent. */
  readonly nonce: string
  /** The key that signs. */
  readonly keyid: string
  /** `sha-256=:…:` of the body. */
  readonly digest: string
}

const COVERED = ['@method', '@path', '@query', 'content-digest', 'authorization']
const KEY = 'idempotency-key'

/** The bytes under the signature. */
export function buildSignedBytes(
  { method, target, authorization, key }: Provable,
  terms: ProofTerms,
): Uint8Array {
  const query = target.indexOf('?')
  const values: Readonly<Record<string, string | undefined>> = {
    '@method': method,
    '@path': query < 0 ? target : target.slice(0, query),
    '@query': query < 0 ? '?' : target.slice(query),
    'content-digest': terms.digest,
    authorization,
    // As it arrives: spaces around a header are no part of it.
    [KEY]: key?.trim(),
  }
  const lines = listCovered(key).map((name) => `"${name}": ${values[name]}`)
  return encodeUtf8(
    [...lines, `"@signature-params": ${formatSignatureParams(terms, key)}`].join('\n'),
  )
}

/** What is signed, when and by which key, as `Signature-Input` has it. */
export function formatSignatureParams(
  { created, nonce, keyid }: Omit<ProofTerms, 'digest'>,
  key: Provable['key'],
): string {
  const covered = listCovered(key).map((name) => `"${name}"`)
  return `(${covered.join(' ')});created=${created};nonce="${nonce}";keyid="${keyid}";alg="ed25519"`
}

function listCovered(key: Provable['key']): readonly string[] {
  return key === undefined ? COVERED : [...COVERED, KEY]
}

/** The header of a body with this SHA-256. */
export function formatContentDigest(sha256: Uint8Array): string {
  return `sha-256=:${encodeBase64(sha256)}:`
}
