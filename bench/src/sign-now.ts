/** Signs a request of an agent at once: whoever measures waits for no thread that the measured server needs. */
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  type AgentKey,
  buildSignedBytes,
  formatContentDigest,
  formatSignatureParams,
  type ProofHeaders,
  type RequestToSign,
  toAgentKey,
} from 'rubicon-agents'
import { encodeBase64 } from 'rubicon-kernel'

export type HeldKey = { readonly key_id: string; readonly privateKey: KeyObject }

const NONCE_BYTES = 16

export function signNow({ key_id, privateKey }: HeldKey, request: RequestToSign): ProofHeaders {
  const digest = formatContentDigest(hash('sha256', request.bytes, 'buffer'))
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const terms = { created: Math.floor(Date.now() / 1000), nonce, keyid: key_id, digest }
  const sig = sign(null, buildSignedBytes(request, terms), privateKey)
  return {
    'content-digest': digest,
    'signature-input': `sig=${formatSignatureParams(terms, request.key)}`,
    signature: `sig=:${encodeBase64(sig)}:`,
  }
}

/** A key whose private half is handed to another process of the bench. */
export type HeldAgentKey = {
  readonly key: AgentKey
  /** PKCS #8, PEM. */
  readonly private_key: string
}

export async function createHeldKey(): Promise<HeldAgentKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pair = {
    privateKey: privateKey.toCryptoKey('Ed25519', true, ['sign']),
    publicKey: publicKey.toCryptoKey('Ed25519', true, ['verify']),
  }
  const private_key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { key: await toAgentKey(pair), private_key }
}
