/**
 * A key of an agent's own, as whoever runs the agent makes, registers and uses it. By WebCrypto, which Node and
 * browsers have in common.
 */
import { assert } from 'rubicon-kernel/assert'
import {
  decodeBase64,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  formatInstant,
  type JsonObject,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel/canonical'
import {
  deriveKeyId,
  formatHandshake,
  type HandshakePlace,
  type HandshakeTerms,
} from 'rubicon-kernel/keys'
import type { KeyBody } from 'rubicon-kernel/ledger'

/** Where the private key is kept is a matter of `sign` alone: in this process, in an agent, in hardware. */
export type AgentKey = {
  /** Its name in the registry, derived from the public key. */
  readonly key_id: string
  /** Base64 of the 32 raw bytes. */
  readonly public_key: string
  /** Signs bytes with the private key, wherever that is. */
  readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

/** A key with the proof that whoever registers it holds it. */
export type SignedKey = {
  /** What the key is for. */
  readonly purpose: 'agent'
  /** Base64 of the 32 raw bytes. */
  readonly public_key: string
  /** The agent that it is registered for. */
  readonly subject: string
  /** Base64 signature by the key itself. */
  readonly possession: string
}

/** A handshake as it is sent: its terms, and the signature over them. */
export type SignedHandshake = HandshakeTerms & {
  /** The signature over the terms. */
  readonly key: {
    /** The key that signed. */
    readonly key_id: string
    /** When. */
    readonly signed_at: string
    /** Never used before by this agent. */
    readonly nonce: string
    /** Base64. */
    readonly sig: string
  }
}

/** Named so that it is the same for the types of Node and of browsers. */
type SubtleKey = Parameters<typeof crypto.subtle.exportKey>[1]
export type KeyPair = { readonly publicKey: SubtleKey; readonly privateKey: SubtleKey }

/** When it is signed, and what makes it unlike all others. */
export type Signing = {
  /** UTC, epoch milliseconds. */
  readonly now: number
  /** 16 to 64 of A-Z a-z 0-9 _ -, never used before by this agent. */
  readonly nonce: string
}

/** A new key that stays in this process: nobody can read it out. */
export async function createAgentKey(): Promise<AgentKey> {
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  assert('privateKey' in pair, 'a key of Ed25519 is a pair')
  return toAgentKey(pair)
}

/** A key that was made before. */
export async function toAgentKey({ publicKey, privateKey }: KeyPair): Promise<AgentKey> {
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', raw))
  return {
    key_id: deriveKeyId('agent', raw, () => digest),
    public_key: encodeBase64(raw),
    async sign(bytes) {
      return new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, new Uint8Array(bytes)))
    },
  }
}

/** A key from a file in PKCS #8, as `rubicon keys register --out FILE` writes it. Nobody can read it out of the result. */
export async function parseAgentKey(pem: string): Promise<AgentKey> {
  const body = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)
  const der = decodeBase64((body?.[1] ?? '').replaceAll(/\s/g, ''))
  if (der === undefined || der.length === 0) throw new TypeError('this is no private key in PEM')
  const raw = new Uint8Array(der)
  const shown = await crypto.subtle.importKey('pkcs8', raw, 'Ed25519', true, ['sign'])
  const { kty = '', crv = '', x = '' } = await crypto.subtle.exportKey('jwk', shown)
  const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', true, [
    'verify',
  ])
  const privateKey = await crypto.subtle.importKey('pkcs8', raw, 'Ed25519', false, ['sign'])
  return toAgentKey({ publicKey, privateKey })
}

/** The body of `POST /v1/keys`, for an operator to send: that whoever runs the agent holds the key. */
export async function signKeyRegistration(key: AgentKey, agent: string): Promise<SignedKey> {
  const { key_id, public_key } = key
  const body: KeyBody = { action: 'add', key_id, purpose: 'agent', public_key, subject: agent }
  const possession = await signDocument(key, 'key', toCanonicalText(body))
  return { purpose: 'agent', public_key, subject: agent, possession }
}

/** The body of `POST /v1/agents/handshake`. */
export async function signHandshake(
  key: AgentKey,
  place: HandshakePlace,
  terms: HandshakeTerms,
  { now, nonce }: Signing = createSigning(),
): Promise<SignedHandshake> {
  const moment = { key_id: key.key_id, signed_at: formatInstant(now), nonce }
  const sig = await signDocument(key, 'handshake', formatHandshake(place, terms, moment))
  return { ...terms, key: { ...moment, sig } }
}

/** A proposal with its signature, for contracts that ask for one. It must be whole: nothing is filled in behind it. */
export async function signProposal<Proposal extends JsonObject>(
  key: AgentKey,
  proposal: Proposal,
): Promise<Proposal & { readonly signature: { readonly key_id: string; readonly sig: string } }> {
  const sig = await signDocument(key, 'proposal', toCanonicalText(proposal))
  return { ...proposal, signature: { key_id: key.key_id, sig } }
}

/** Now, and a nonce that nobody guesses. */
export function createSigning(): Signing {
  return { now: Date.now(), nonce: crypto.randomUUID() }
}

/** Base64, over the DSSE encoding of exact text. */
export async function signDocument(
  { sign }: AgentKey,
  type: 'key' | 'handshake' | 'proposal' | 'pci',
  text: string,
): Promise<string> {
  return encodeBase64(await sign(encodePreAuth(toPayloadType(type), encodeUtf8(text))))
}
