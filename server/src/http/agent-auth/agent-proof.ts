/**
 * The proof that a request of an agent carries, read from its headers. What was left out or written
 * in another way than `rubicon-agents` writes it is no proof, so that there is nothing to negotiate.
 */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { formatContentDigest, type ProofTerms } from 'rubicon-agents'
import { decodeBase64 } from 'rubicon-kernel'

export type AgentProof = ProofTerms & { readonly sig: Uint8Array }

const INPUT =
  /^sig=\("@method" "@path" "@query" "content-digest" "authorization"( "idempotency-key")?\);created=([0-9]{1,11});nonce="([A-Za-z0-9_-]{16,64})";keyid="([A-Za-z0-9._:@-]{1,128})";alg="ed25519"$/
const SIGNATURE = /^sig=:([A-Za-z0-9+/]{86}==):$/
const DIGEST = /^sha-256=:[A-Za-z0-9+/]{43}=:$/

/** Null: there is none, or not in this form. */
export function parseProof(headers: IncomingHttpHeaders): AgentProof | null {
  const digest = headers['content-digest']
  const [, covered, created, nonce, keyid] =
    INPUT.exec(getSingleHeader(headers['signature-input'])) ?? []
  const sig = decodeBase64(SIGNATURE.exec(getSingleHeader(headers.signature))?.[1] ?? '')
  // What is sent with a key is signed with it.
  if ((covered === undefined) !== (getIdempotencyKey(headers) === undefined)) return null
  if (created === undefined || nonce === undefined || keyid === undefined) return null
  if (typeof digest !== 'string' || !DIGEST.test(digest) || sig?.length !== 64) return null
  return { created: Number(created), nonce, keyid, digest, sig }
}

export function hasProof(headers: IncomingHttpHeaders): boolean {
  return headers.signature !== undefined && headers['signature-input'] !== undefined
}

/** As it came; what stands there twice is no key. */
export function getIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : String(key)
}

function getSingleHeader(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

export function computeContentDigest(bytes: Uint8Array): string {
  return formatContentDigest(createHash('sha256').update(bytes).digest())
}
