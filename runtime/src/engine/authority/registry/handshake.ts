/**
 * The handshake of an agent. It opens a session for whom an operator has registered: it registers
 * nobody, lifts no suspension, and where it fails it changes nothing but that it was here.
 *
 * H1 a handshake counts once, within a minute of its signature.
 * H2 who has not proven a key of the agent learns nothing of it: not that it exists, nor its state.
 */
import {
  type AgentStatus,
  AUTHORITY,
  type Authority,
  err,
  type Failure,
  findCurrentContract,
  formatHandshake,
  type HandshakeMoment,
  type HandshakeTerms,
  isKeyInUse,
  isVersionAccepted,
  LIMITS,
  listAgentNames,
  listAskedTopologies,
  ok,
  POLICY_SCHEMA_VERSION,
  parseInstant,
  type Result,
  TOPOLOGIES,
  type Topology,
} from 'rubicon-kernel'
import type { Deps } from '../../deps.ts'
import { buildRegistryUnavailableFailure } from '../../rows/registry-unavailable.ts'
import { checkSignature } from '../../rows/sign.ts'
import { appendAuthority, type Registrar } from './append-authority.ts'
import { useNonce } from './handshake-nonces.ts'
import { type LifecycleMove, moveAgent, signLifecycleEntry } from './lifecycle.ts'
import { buildNoContractFailure } from './no-contract.ts'
import { openSession } from './sessions.ts'
import { checkAgentStatus } from './stopped-agent.ts'

export type HandshakeRequest = HandshakeTerms & {
  /** Binds the session to a registered key of the agent. Without one it is a session in process. */
  readonly key?: KeyProof
}

export type KeyProof = HandshakeMoment & {
  /** Base64 signature over `formatHandshake`, as a document of type `handshake`. */
  readonly sig: string
}

export type Handshake = {
  readonly session_token: string
  readonly expires_at: string
  /** What this runtime speaks. */
  readonly schema_version: string
  readonly status: AgentStatus
}

export async function performHandshake(
  registrar: Registrar,
  request: HandshakeRequest,
): Promise<Result<Handshake, Failure>> {
  const { agent: agent_id, key, schema_version = POLICY_SCHEMA_VERSION } = request
  const unheard =
    checkSchemaVersion(schema_version) ??
    checkTopologies(request.topologies) ??
    (await checkKeyProof(registrar, request))
  if (unheard !== null) return err(unheard)
  const done = await appendAuthority(registrar, async (authority) => {
    const problem =
      (await checkKnownAgent(registrar, authority, agent_id)) ??
      checkAgentStatus(authority, agent_id) ??
      checkServed(registrar, authority, request)
    if (problem !== null) return err(problem)
    const { end_others = false, topologies = [] } = request
    const asked = { agent_id, key_id: key?.key_id ?? null, schema_version, end_others, topologies }
    const session = await openSession(registrar, authority, asked)
    if (!session.ok) return session
    const value: Handshake = {
      session_token: session.value.token,
      expires_at: session.value.expires_at,
      schema_version: POLICY_SCHEMA_VERSION,
      status: 'ACTIVE',
    }
    const change = { beside: session.value.writes, value }
    if (authority.statuses.get(agent_id) === 'ACTIVE') return ok({ ...change, entries: [] })
    const entry = await signLifecycleEntry(registrar, authority, buildActivation(agent_id))
    return entry.ok ? ok({ ...change, entries: [entry.value] }) : entry
  })
  return done.ok ? ok(done.value.value) : done
}

/** In process an agent has no token: the first flow that it opens is its handshake. */
export async function greet(registrar: Registrar, agent: string): Promise<Result<void, Failure>> {
  const authority = await registrar.authorities.loadLatest()
  // That a version is in force is asked where the flow is pinned to it.
  const greeted = authority.statuses.get(agent) ?? 'INITIALIZING'
  if (greeted !== 'INITIALIZING') return ok(undefined)
  const unknown = await checkKnownAgent(registrar, authority, agent)
  if (unknown !== null) return err(unknown)
  const moved = await moveAgent(registrar, buildActivation(agent))
  // Two first handshakes at once: the second finds the agent active already, which is what it wanted.
  return moved.ok || moved.error.code !== 'LIFECYCLE_REFUSED' ? moved : ok(undefined)
}

function buildActivation(agent_id: string): LifecycleMove {
  return { agent_id, to: 'ACTIVE', actor: 'registry', justification: 'handshake' }
}

async function checkKnownAgent(
  { authorities, store }: Registrar,
  authority: Authority,
  agent: string,
): Promise<Failure | null> {
  const { now } = await store.readNow(AUTHORITY)
  const isKnown = findCurrentContract(authority, agent, now) !== undefined
  const status = authority.statuses.get(agent)
  if (authorities.degraded) {
    // It may have been registered where nobody can look now.
    if (!isKnown || status === undefined)
      return buildRegistryUnavailableFailure(`\`${agent}\` is not among the agents known here`)
    // An entry that cannot be read here would end what everybody else is served from.
    if (status === 'INITIALIZING')
      return buildRegistryUnavailableFailure(`\`${agent}\` has not been active before`)
  }
  if (isKnown && status !== undefined) return null
  return buildNoContractFailure(authority, agent, now)
}

function checkSchemaVersion(version: string): Failure | null {
  if (isVersionAccepted(version)) return null
  return {
    code: 'VERSION_UNSUPPORTED',
    summary: `policy schema \`${version}\` is not supported`,
    why: `this runtime supports ${POLICY_SCHEMA_VERSION} and older versions of the same major version`,
    fix: `use ${POLICY_SCHEMA_VERSION}`,
    meta: { schema_version: POLICY_SCHEMA_VERSION },
  }
}

/** What comes from inside the process was held against no schema. */
function checkTopologies(named: HandshakeTerms['topologies']): Failure | null {
  const isKnown = (one: Topology): boolean => TOPOLOGIES.includes(one)
  if (named === undefined || (Array.isArray(named) && named.every(isKnown))) return null
  return {
    code: 'SCHEMA_INVALID',
    summary: 'a topology that the handshake names is not known here',
    why: `known are ${TOPOLOGIES.join(', ')}`,
    fix: 'name those that the agent serves, or none',
  }
}

/**
 * An agent that says what it serves, and does not serve what the rules ask it for, would be refused with everything that
 * it proposes. One that says nothing is told then.
 */
function checkServed(
  { book }: Pick<Deps, 'book'>,
  { contracts }: Authority,
  { agent, topologies: served }: HandshakeRequest,
): Failure | null {
  const contract = contracts.get(agent)?.at(-1)?.contract
  if (served === undefined || contract === undefined) return null
  const { policy_kinds } = contract.permissions
  const asked = listAskedTopologies(book.rules.topologies ?? [], {
    agents: listAgentNames(contract),
    policy_kinds,
  })
  const missing = asked.filter((one) => !served.includes(one))
  if (missing.length === 0) return null
  return {
    code: 'TOPOLOGY_UNSERVED',
    summary: `the rules ask \`${agent}\` for ${missing.join(', ')}, which it does not serve`,
    why: `its handshake names ${served.length === 0 ? 'none' : served.join(', ')}`,
    fix: 'let the agent serve it and name it in its handshake, or change `topologies` of the rules',
  }
}

/**
 * Whether the handshake proves its key, now and for the first time. Who has proven none learns nothing
 * of the agent: whatever was wrong, the answer and the work for it are the same.
 */
async function checkKeyProof(
  registrar: Registrar,
  request: HandshakeRequest,
): Promise<Failure | null> {
  const { agent, key: proof } = request
  if (proof === undefined) return null
  const now = await findTimeApart(registrar, proof.signed_at)
  // Whoever keeps another time is told which one counts here: it says nothing of the agent.
  if (now !== null)
    return { ...buildNotProvenFailure('it was signed at another time'), meta: { now } }
  const { signer, authorities } = registrar
  const key = (await authorities.loadLatest()).keys.get(proof.key_id)
  const isOwn =
    key !== undefined && key.purpose === 'agent' && key.subject === agent && isKeyInUse(key)
  const checked = (isOwn ? key : signer.publicKey('kernel'))?.public_key ?? ''
  const text = formatHandshake(registrar, request, proof)
  const isSigned = await checkSignature(registrar, checked, 'handshake', text, proof.sig)
  if (!isOwn || !isSigned || !isNonce(proof.nonce))
    return authorities.degraded
      ? buildRegistryUnavailableFailure(UNSEEN)
      : buildNotProvenFailure(UNPROVEN)
  switch (await useNonce(registrar, agent, proof)) {
    case 'new':
      return null
    case 'known':
      return buildNotProvenFailure(UNPROVEN)
    case 'full':
      return buildTooOftenFailure(agent)
  }
}

const UNSEEN = 'possession of a key of the agent could not be proven'
const UNPROVEN =
  'the key is not one of the agent\u2019s that are in use, the signature is invalid, or the handshake was used before'

function buildNotProvenFailure(why: string): Failure {
  return {
    code: 'KEY_POSSESSION',
    summary: 'possession of a key of the agent was not proven',
    why,
    fix: 'sign the handshake now, with a registered key of the agent and a new nonce',
  }
}

function buildTooOftenFailure(agent: string): Failure {
  return {
    code: 'SESSIONS_FULL',
    summary: `\`${agent}\` has made too many handshakes`,
    why: `${LIMITS.handshakesRemembered} handshakes are remembered until their signatures are too old to count`,
    fix: 'use the session until it ends; wait a minute before the next handshake',
  }
}

/** What comes from inside the process was held against no schema. */
function isNonce(nonce: unknown): boolean {
  return typeof nonce === 'string' && /^[A-Za-z0-9_-]{16,64}$/.test(nonce)
}

/**
 * The time that counts, where a signature was made at another: neither an old one that somebody found, nor one made
 * ahead. Null: it is recent.
 */
async function findTimeApart({ store }: Deps, signedAt: string): Promise<string | null> {
  const at = parseInstant(signedAt)
  const { now } = await store.readNow(AUTHORITY)
  const moment = parseInstant(now)
  const isRecent =
    at !== undefined && moment !== undefined && Math.abs(moment - at) <= LIMITS.handshakeMs
  return isRecent ? null : now
}
