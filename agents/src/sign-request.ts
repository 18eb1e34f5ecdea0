/** Signs requests of an agent, each when it is sent and each anew: asking again is signing again. */
import { encodeBase64, encodeUtf8 } from 'rubicon-kernel/canonical'
import { type AgentKey, createSigning, type Signing } from './agent-key.ts'
import type { ClientOptions } from './call.ts'
import {
  buildSignedBytes,
  formatContentDigest,
  formatSignatureParams,
  type Provable,
} from './request-proof.ts'

/** A request with its body, before it is sent. */
export type RequestToSign = Provable & {
  /** The body as it is sent; empty: none. */
  readonly bytes: Uint8Array
}
/** The three headers that prove who sends a request. */
export type ProofHeaders = Readonly<
  Record<'content-digest' | 'signature-input' | 'signature', string>
>

/** The headers that prove it, for whoever sends the request. */
export async function signRequest(
  { key_id, sign }: AgentKey,
  request: RequestToSign,
  { now, nonce }: Signing = createSigning(),
): Promise<ProofHeaders> {
  const bytes = new Uint8Array(request.bytes)
  const digest = formatContentDigest(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const terms = { created: Math.floor(now / 1000), nonce, keyid: key_id, digest }
  const sig = await sign(buildSignedBytes(request, terms))
  return {
    'content-digest': digest,
    'signature-input': `sig=${formatSignatureParams(terms, request.key)}`,
    signature: `sig=:${encodeBase64(sig)}:`,
  }
}

/** A session that an agent has begun, and the key that it was begun with. */
export type AgentSession = {
  /** The same as the client's. */
  readonly url: string
  /** `session_token` of the handshake. */
  readonly token: string
  /** The key that the handshake was signed with. */
  readonly key: AgentKey
  /** When it is signed, by whose clock; this machine's when nobody says. */
  readonly signing?: () => Signing
}

/** For `createClient({ url, headers })`: the client of an agent in a session. */
export function createAgentHeaders({
  url,
  token,
  key,
  signing = createSigning,
}: AgentSession): NonNullable<ClientOptions['headers']> {
  const authorization = `Bearer ${token}`
  return async ({ method, path, body, key: asked }) => {
    const { pathname, search } = new URL(`${url}${path}`)
    const bytes = encodeUtf8(body ?? '')
    const request = { method, target: `${pathname}${search}`, authorization, bytes, key: asked }
    return { authorization, ...(await signRequest(key, request, signing())) }
  }
}
