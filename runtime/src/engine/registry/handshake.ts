/**
 * The handshake of an agent. It opens a session for whom an operator has registered: it registers
 * nobody, lifts no suspension, and where it fails it changes nothing.
 */
import {
  type AgentStatus,
  AUTHORITY,
  type Authority,
  acceptsVersion,
  canonicalText,
  currentContract,
  err,
  type Failure,
  keyInUse,
  LIMITS,
  ok,
  POLICY_SCHEMA_VERSION,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import type { Deps } from '../deps.ts'
import { checkSignature } from '../sign.ts'
import { appendAuthority, type Registrar } from './append-authority.ts'
import { type LifecycleMove, lifecycleEntry, moveAgent } from './lifecycle.ts'
import { noContract } from './no-contract.ts'
import { openSession } from './sessions.ts'
import { stoppedAgent } from './stopped-agent.ts'
import { registryUnavailable } from './unavailable.ts'

export type HandshakeRequest = {
  readonly agent: string
  /** The policy schema that the agent speaks; ours when it does not say. */
  readonly schema_version?: string
  /** Binds the session to a registered key of the agent. Without one it is a session in process. */
  readonly key?: KeyProof
}

export type KeyProof = {
  readonly key_id: string
  readonly signed_at: string
  /** Base64 signature over `handshakeText`, as a document of type `handshake`. */
  readonly sig: string
}

export type Handshake = {
  readonly session_token: string
  readonly expires_at: string
  /** What this runtime speaks. */
  readonly schema_version: string
  readonly status: AgentStatus
}

export async function handshake(
  registrar: Registrar,
  request: HandshakeRequest,
): Promise<Result<Handshake, Failure>> {
  const { agent: agent_id, key, schema_version = POLICY_SCHEMA_VERSION } = request
  const done = await appendAuthority(registrar, async (authority) => {
    const problem =
      (await unknownAgent(registrar, authority, agent_id)) ??
      stoppedAgent(authority, agent_id) ??
      misspoken(schema_version) ??
      (key === undefined ? null : await unproven(registrar, authority, request, key))
    if (problem !== null) return err(problem)
    const key_id = key?.key_id ?? null
    const session = await openSession(registrar, { agent_id, key_id, schema_version })
    const value: Handshake = {
      session_token: session.token,
      expires_at: session.expires_at,
      schema_version: POLICY_SCHEMA_VERSION,
      status: 'ACTIVE',
    }
    const change = { beside: session.writes, value }
    if (authority.statuses.get(agent_id) === 'ACTIVE') return ok({ ...change, entries: [] })
    const entry = await lifecycleEntry(registrar, authority, activation(agent_id))
    return entry.ok ? ok({ ...change, entries: [entry.value] }) : entry
  })
  return done.ok ? ok(done.value.value) : done
}

/** In process an agent has no token: the first flow that it opens is its handshake. */
export async function greet(registrar: Registrar, agent: string): Promise<Result<void, Failure>> {
  const authority = await registrar.authorities.latest()
  // That a version is in force is asked where the flow is pinned to it.
  const greeted = authority.statuses.get(agent) ?? 'INITIALIZING'
  if (greeted !== 'INITIALIZING') return ok(undefined)
  const unknown = await unknownAgent(registrar, authority, agent)
  if (unknown !== null) return err(unknown)
  const moved = await moveAgent(registrar, activation(agent))
  // Two first handshakes at once: the second finds the agent active already, which is what it wanted.
  return moved.ok || moved.error.code !== 'LIFECYCLE_REFUSED' ? moved : ok(undefined)
}

function activation(agent_id: string): LifecycleMove {
  return { agent_id, to: 'ACTIVE', actor: 'registry', justification: 'handshake' }
}

async function unknownAgent(
  { authorities, store }: Registrar,
  authority: Authority,
  agent: string,
): Promise<Failure | null> {
  const { now } = await store.now(AUTHORITY)
  const isKnown = currentContract(authority, agent, now) !== undefined
  if (isKnown && authority.statuses.has(agent)) return null
  // It may have been registered where nobody can look now.
  if (authorities.degraded)
    return registryUnavailable(`\`${agent}\` is not among the agents known here`)
  return noContract(authority, agent, now)
}

function misspoken(version: string): Failure | null {
  if (acceptsVersion(version)) return null
  return {
    code: 'VERSION_UNSUPPORTED',
    summary: `policy schema \`${version}\` is not spoken here`,
    why: `this runtime speaks ${POLICY_SCHEMA_VERSION} and older versions of the same major version`,
    fix: `speak ${POLICY_SCHEMA_VERSION}`,
    meta: { schema_version: POLICY_SCHEMA_VERSION },
  }
}

/** What an agent signs to bind a session to its key: for this tenant, this service and this minute. */
export function handshakeText(
  { tenant, audience }: Pick<Deps, 'tenant' | 'audience'>,
  { agent, schema_version }: Omit<HandshakeRequest, 'key'>,
  { key_id, signed_at }: Omit<KeyProof, 'sig'>,
): string {
  const spoken = schema_version ?? POLICY_SCHEMA_VERSION
  return canonicalText({ agent, audience, key_id, schema_version: spoken, signed_at, tenant })
}

async function unproven(
  deps: Deps,
  authority: Authority,
  request: HandshakeRequest,
  proof: KeyProof,
): Promise<Failure | null> {
  const { agent } = request
  const key = authority.keys.get(proof.key_id)
  if (key === undefined || key.purpose !== 'agent' || key.subject !== agent || !keyInUse(key))
    return {
      code: 'KEY_PURPOSE',
      summary: `\`${proof.key_id}\` is not a key of \`${agent}\``,
      why: 'it was not registered for this agent, or it has ended',
      fix: 'have it registered: rubicon keys register --purpose agent --subject AGENT',
    }
  const text = handshakeText(deps, request, proof)
  const isSigned = await checkSignature(deps, key.public_key, 'handshake', text, proof.sig)
  if (isSigned && (await isRecent(deps, proof.signed_at))) return null
  return {
    code: 'KEY_POSSESSION',
    summary: `possession of \`${proof.key_id}\` was not proven`,
    why: isSigned ? 'it was signed at another time' : 'the signature does not hold',
    fix: 'sign the handshake now, with the registered key',
  }
}

/** Neither an old signature that somebody found, nor one made ahead. */
async function isRecent({ store }: Deps, signedAt: string): Promise<boolean> {
  const at = parseInstant(signedAt)
  const now = parseInstant((await store.now(AUTHORITY)).now)
  return at !== undefined && now !== undefined && Math.abs(now - at) <= LIMITS.handshakeMs
}
