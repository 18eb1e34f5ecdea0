/** An agent in the process of its runtime: its key is registered, and it signs by the runtime's clock and chance. */
import {
  type AgentKey,
  createAgentKey,
  type ProofHeaders,
  type RequestToSign,
  type SignedHandshake,
  type Signing,
  signHandshake,
  signKeyRegistration,
  signRequest,
} from 'rubicon-agents'
import { encodeHex, type Failure, type HandshakeTerms, ok, type Result } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { registerKey } from 'rubicon-runtime/engine/authority'

const NONCE_BYTES = 16

export async function makeAgentKey(
  { context }: Engine,
  agent: string,
  given?: AgentKey,
): Promise<Result<AgentKey, Failure>> {
  const key = given ?? (await createAgentKey())
  const registered = await registerKey(context, await signKeyRegistration(key, agent))
  return registered.ok ? ok(key) : registered
}

/** The body of a handshake, signed now. */
export function signHandshakeBody(
  { context }: Engine,
  agent: string,
  key: AgentKey,
  spoken: Omit<HandshakeTerms, 'agent'> = {},
): Promise<SignedHandshake> {
  return signHandshake(key, context, { agent, ...spoken }, createSigningNow({ context }))
}

/** Signs requests of an agent, each when it is sent and each anew. */
export type SignHeaders = (request: RequestToSign) => Promise<ProofHeaders>

export function requestSigner(engine: Pick<Engine, 'context'>, key: AgentKey): SignHeaders {
  return (request) => signRequest(key, request, createSigningNow(engine))
}

function createSigningNow({ context: { clock, random } }: Pick<Engine, 'context'>): Signing {
  return { now: clock.now(), nonce: encodeHex(random.bytes(NONCE_BYTES)) }
}
