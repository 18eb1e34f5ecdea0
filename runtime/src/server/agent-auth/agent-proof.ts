/**
 * Proof with every request of an agent that it holds the key of its session: an HTTP message signature
 * (RFC 9421) in one fixed form, over the digest of the body (RFC 9530). What was left out or written
 * in another way is no proof, so that there is nothing to negotiate.
 */
import { createHash, sign } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { decodeBase64, encodeBase64, encodeUtf8 } from 'rubicon-kernel'
import type { AgentKey } from './agent-key.ts'

/** What is signed of a request. */
export type Provable = {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  readonly authorization: string
}

export type AgentProof = {
  /** Seconds since 1970. */
  readonly created: number
  readonly nonce: string
  readonly keyid: string
  /** `sha-256=:…:` of the body. */
  readonly digest: string
  readonly sig: Uint8Array
}

const COVERED = '("@method" "@path" "@query" "content-digest" "authorization")'
const INPUT =
  /^sig=\("@method" "@path" "@query" "content-digest" "authorization"\);created=([0-9]{1,11});nonce="([A-Za-z0-9_-]{16,64})";keyid="([A-Za-z0-9._:@-]{1,128})";alg="ed25519"$/
const SIGNATURE = /^sig=:([A-Za-z0-9+/]{86}==):$/
const DIGEST = /^sha-256=:[A-Za-z0-9+/]{43}=:$/

/** Null: there is none, or not in this form. */
export function parseProof(headers: IncomingHttpHeaders): AgentProof | null {
  const digest = headers['content-digest']
  const [, created, nonce, keyid] = INPUT.exec(getSingleHeader(headers['signature-input'])) ?? []
  const sig = decodeBase64(SIGNATURE.exec(getSingleHeader(headers.signature))?.[1] ?? '')
  if (created === undefined || nonce === undefined || keyid === undefined) return null
  if (typeof digest !== 'string' || !DIGEST.test(digest) || sig?.length !== 64) return null
  return { created: Number(created), nonce, keyid, digest, sig }
}

export function hasProof(headers: IncomingHttpHeaders): boolean {
  return headers.signature !== undefined && headers['signature-input'] !== undefined
}

function getSingleHeader(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

/** The bytes under the signature. */
export function buildSignedBytes(
  { method, target, authorization }: Provable,
  proof: Omit<AgentProof, 'sig'>,
): Uint8Array {
  const query = target.indexOf('?')
  const lines = [
    ['@method', method],
    ['@path', query < 0 ? target : target.slice(0, query)],
    ['@query', query < 0 ? '?' : target.slice(query)],
    ['content-digest', proof.digest],
    ['authorization', authorization],
    ['@signature-params', formatSignatureParams(proof)],
  ]
  return encodeUtf8(lines.map(([name, value]) => `"${name}": ${value}`).join('\n'))
}

function formatSignatureParams({
  created,
  nonce,
  keyid,
}: Omit<AgentProof, 'sig' | 'digest'>): string {
  return `${COVERED};created=${created};nonce="${nonce}";keyid="${keyid}";alg="ed25519"`
}

export function computeContentDigest(bytes: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
}

export type Signing = {
  readonly now: number
  /** 16 to 64 of A-Z a-z 0-9 _ -, never used before by this agent. */
  readonly nonce: string
}

/** The headers that prove it, for whoever sends the request. */
export function signRequest(
  { key_id, privateKey }: AgentKey,
  request: Provable & { readonly bytes: Uint8Array },
  { now, nonce }: Signing,
): Readonly<Record<'content-digest' | 'signature-input' | 'signature', string>> {
  const digest = computeContentDigest(request.bytes)
  const proof = { created: Math.floor(now / 1000), nonce, keyid: key_id, digest }
  const sig = sign(null, buildSignedBytes(request, proof), privateKey)
  return {
    'content-digest': digest,
    'signature-input': `sig=${formatSignatureParams(proof)}`,
    signature: `sig=:${encodeBase64(sig)}:`,
  }
}
