/** A key of an agent's own, as whoever runs the agent would make, register and use it. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  encodeBase64,
  encodeHex,
  encodePreAuth,
  encodeUtf8,
  type Failure,
  formatInstant,
  ok,
  type Result,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { buildKeyRegistration, registerKey } from '../../engine/authority/keys.ts'
import {
  formatHandshake,
  type HandshakeRequest,
} from '../../engine/authority/registry/handshake.ts'
import type { Engine } from '../../engine/engine.ts'
import { type Provable, signRequest } from './agent-proof.ts'

export type AgentKey = { readonly key_id: string; readonly privateKey: KeyObject }

const RAW_BYTES = 32
const NONCE_BYTES = 16

export async function makeAgentKey(
  { context }: Engine,
  agent: string,
): Promise<Result<AgentKey, Failure>> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const named = {
    purpose: 'agent',
    public_key: encodeBase64(new Uint8Array(der.subarray(der.length - RAW_BYTES))),
    subject: agent,
  } as const
  const body = buildKeyRegistration(context, named)
  if (!body.ok) return body
  const possession = signText(privateKey, 'key', toCanonicalText(body.value))
  const registered = await registerKey(context, { ...named, possession })
  return registered.ok ? ok({ key_id: registered.value.key_id, privateKey }) : registered
}

/** The body of a handshake, signed now. */
export function signHandshakeBody(
  { context }: Engine,
  agent: string,
  { key_id, privateKey }: AgentKey,
  spoken: Pick<HandshakeRequest, 'schema_version' | 'end_others'> = {},
): HandshakeRequest {
  const request = { agent, ...spoken }
  const { clock, random } = context
  const signed_at = formatInstant(clock.now())
  const proof = { key_id, signed_at, nonce: encodeHex(random.bytes(NONCE_BYTES)) }
  const sig = signText(privateKey, 'handshake', formatHandshake(context, request, proof))
  return { ...request, key: { ...proof, sig } }
}

/** Signs requests of an agent, each when it is sent and each anew. */
export type SignHeaders = (
  request: Provable & { readonly bytes: Uint8Array },
) => Readonly<Record<string, string>>

export function requestSigner(
  { context: { clock, random } }: Pick<Engine, 'context'>,
  key: AgentKey,
): SignHeaders {
  return (request) =>
    signRequest(key, request, { now: clock.now(), nonce: encodeHex(random.bytes(NONCE_BYTES)) })
}

function signText(key: KeyObject, type: 'key' | 'handshake', text: string): string {
  return encodeBase64(sign(null, encodePreAuth(toPayloadType(type), encodeUtf8(text)), key))
}
