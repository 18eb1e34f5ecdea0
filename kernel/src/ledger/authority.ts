/**
 * Who may do what, as of a position: the fold of a tenant's authority trajectory.
 *
 * Immutable, so that a decision and the guard on its `authority_seq` speak of the same thing. The
 * fold does not check signatures; whoever wrote or verifies the ledger did.
 */
import type { Address } from '../canonical/address.ts'
import { parseInstant } from '../canonical/time.ts'
import type { Contract } from '../contract/contract.ts'
import { isInForce } from '../contract/in-force.ts'
import type { AgentStatus } from '../contract/lifecycle.ts'
import { NO_SOURCES, type Sources } from '../fact/owner.ts'
import type { KeyRecord } from '../keys/key.ts'
import { applyKeyEntry } from '../keys/key-set.ts'
import type { Monitor } from '../monitor/monitor.ts'
import {
  applyPersonEntry,
  type ContractPersons,
  deriveInheritedPersons,
  NO_PERSONS,
  NOBODY,
  type PersonPayload,
  type Persons,
} from '../person/person.ts'
import type { Entry } from './entry.ts'
import type { Occasion } from './occasion.ts'
import type {
  AnchorPayload,
  ContractPayload,
  KeyPayload,
  LifecyclePayload,
  PolicyPayload,
  RevocationPayload,
  SourcePayload,
  Spawning,
} from './payload.ts'
import { foldCapability, foldRules, type RecordedRules } from './recorded-rules.ts'
import { applySourceEntry } from './recorded-sources.ts'

export type DeployedContract = {
  readonly contract: Contract
  readonly hash: Address
  readonly seq: number
  readonly revoked: boolean
  readonly persons: ContractPersons
  /** Of an instance: the contract of its class, whose revocation reaches it. */
  readonly of?: Address
  /** By which agent's proposal it was spawned, and what ends it; absent where an operator did. */
  readonly occasion?: Occasion
}

export type DeployedMonitor = {
  readonly monitor: Monitor
  readonly hash: Address
  readonly seq: number
}

export type Authority = {
  /** The last seq folded in; -1 before the first. */
  readonly seq: number
  readonly keys: ReadonlyMap<string, KeyRecord>
  /** All versions of an agent's contract, oldest first. */
  readonly contracts: ReadonlyMap<string, readonly DeployedContract[]>
  readonly statuses: ReadonlyMap<string, AgentStatus>
  readonly revokedWrits: ReadonlySet<string>
  /** The rules in force; null before the first were recorded. */
  readonly rules: RecordedRules | null
  readonly monitors: ReadonlyMap<string, DeployedMonitor>
  readonly sources: Sources
  readonly persons: Persons
  /** Agent → the entry that last moved it, and the one that last ended a suspension. */
  readonly moved: ReadonlyMap<string, number>
  readonly lifted: ReadonlyMap<string, number>
  /** Raised by every accepted restore. */
  readonly epoch: number
}

export const NO_AUTHORITY: Authority = {
  seq: -1,
  keys: new Map(),
  contracts: new Map(),
  statuses: new Map(),
  revokedWrits: new Set(),
  rules: null,
  monitors: new Map(),
  sources: NO_SOURCES,
  persons: NO_PERSONS,
  moved: new Map(),
  lifted: new Map(),
  epoch: 0,
}

/** An authority in the making: copied once for all the entries that are folded into it. */
type Draft = {
  seq: number
  readonly keys: Map<string, KeyRecord>
  readonly contracts: Map<string, readonly DeployedContract[]>
  readonly statuses: Map<string, AgentStatus>
  readonly revokedWrits: Set<string>
  rules: RecordedRules | null
  readonly monitors: Map<string, DeployedMonitor>
  sources: Sources
  persons: Persons
  readonly moved: Map<string, number>
  readonly lifted: Map<string, number>
  epoch: number
}

export function foldAuthority(before: Authority, entries: readonly Entry[]): Authority {
  const draft: Draft = {
    ...before,
    keys: new Map(before.keys),
    contracts: new Map(before.contracts),
    statuses: new Map(before.statuses),
    revokedWrits: new Set(before.revokedWrits),
    monitors: new Map(before.monitors),
    moved: new Map(before.moved),
    lifted: new Map(before.lifted),
  }
  for (const entry of entries) foldEntry(draft, entry)
  return draft
}

function foldEntry(draft: Draft, { id, envelope, payload }: Entry): void {
  draft.seq = envelope.seq
  if (payload === null) return
  switch (envelope.kind) {
    case 'key':
      foldKey(draft, parsePayload<KeyPayload>(payload))
      break
    case 'contract':
      foldContract(draft, parsePayload<ContractPayload>(payload))
      break
    case 'lifecycle': {
      const { agent_id, from, to } = parsePayload<LifecyclePayload>(payload).body
      draft.statuses.set(agent_id, to)
      draft.moved.set(agent_id, draft.seq)
      if (from === 'SUSPENDED' && to === 'ACTIVE') draft.lifted.set(agent_id, draft.seq)
      break
    }
    case 'revocation':
      foldRevocation(draft, parsePayload<RevocationPayload>(payload))
      break
    case 'policy':
      foldPolicy(draft, parsePayload<PolicyPayload>(payload), id)
      break
    case 'person': {
      const after = applyPersonEntry(draft.persons, parsePayload<PersonPayload>(payload).body)
      if (after.ok) draft.persons = after.value
      break
    }
    case 'anchor': {
      const { body } = parsePayload<AnchorPayload>(payload)
      if (body.action === 'accept_restore') draft.epoch = body.epoch
      break
    }
    case 'source':
      draft.sources = applySourceEntry(draft.sources, parsePayload<SourcePayload>(payload)).sources
      break
    default:
      break
  }
}

/** Payloads of our own ledger are canonical JSON of a known kind. */
function parsePayload<T>(text: string): T {
  return JSON.parse(text) as T
}

/** An entry that does not fit changes nothing; the verifier reports it. */
function foldKey({ keys, seq }: Draft, { body }: KeyPayload): void {
  const key = applyKeyEntry(keys.get(body.key_id), body, seq)
  if (key.ok) keys.set(body.key_id, key.value)
}

function foldPolicy(draft: Draft, { body }: PolicyPayload, id: Address): void {
  if ('rules_hash' in body) draft.rules = foldRules(draft.rules, body, id)
  else if (body.action === 'capability') draft.rules = foldCapability(draft.rules, body, id)
  else if (body.action === 'unwatch') draft.monitors.delete(body.name)
  else {
    const { monitor, monitor_hash: hash } = body
    draft.monitors.set(monitor.name, { monitor, hash, seq: draft.seq })
  }
}

function foldContract(draft: Draft, { body }: ContractPayload): void {
  const { contract, contract_hash: hash } = body
  if (body.action === 'deploy' && body.revoke_previous)
    revokeContracts(draft, (agent) => agent === contract.agent_id)
  const persons = body.action === 'deploy' ? body.persons : UNNAMED
  const deployed = { contract, hash, seq: draft.seq, revoked: false, persons }
  const earlier = draft.contracts.get(contract.agent_id) ?? []
  const added = body.action === 'deploy' ? deployed : buildSpawned(draft, deployed, body)
  draft.contracts.set(contract.agent_id, [...earlier, added])
}

const UNNAMED: ContractPersons = { owner: NOBODY, approvers: [] }

/** An instance has no more authority than its class has: under a revoked one it is born revoked. */
function buildSpawned(draft: Draft, by: DeployedContract, body: Spawning): DeployedContract {
  const { of, occasion } = body
  const deployed = occasion === undefined ? by : { ...by, occasion }
  const ofClass = findPinnedContract(draft, deployed.contract.instance_of ?? '', of)
  if (ofClass === undefined) return { ...deployed, of, revoked: true }
  const persons = deriveInheritedPersons(ofClass.persons, ofClass.contract, deployed.contract)
  return { ...deployed, of, revoked: ofClass.revoked, persons }
}

function foldRevocation(draft: Draft, { body: { target, id } }: RevocationPayload): void {
  if (target === 'writ') draft.revokedWrits.add(id)
  else revokeContracts(draft, (agent, version) => isContractNamed(id, agent, version))
}

/** Revokes what is named, and every instance of it. Instances have none themselves. */
function revokeContracts(
  { contracts }: Draft,
  isNamed: (agent: string, version: string) => boolean,
): void {
  const named = new Set<string>()
  for (const [agent, versions] of contracts)
    for (const { contract, hash } of versions)
      if (isNamed(agent, contract.version)) named.add(`${agent} ${hash}`)
  for (const [agent, versions] of contracts) {
    const fold = (one: DeployedContract): DeployedContract => {
      const ofClass = `${one.contract.instance_of} ${one.of}`
      const reached = named.has(`${agent} ${one.hash}`) || named.has(ofClass)
      return reached ? { ...one, revoked: true } : one
    }
    contracts.set(agent, versions.map(fold))
  }
}

/**
 * Does a revocation's id name this version? An agent's name may hold an `@` itself, so the id is
 * compared and not taken apart; people write versions with and without a `v`.
 */
export function isContractNamed(id: string, agent: string, version: string): boolean {
  return id === agent || id === `${agent}@${version}` || id === `${agent}@v${version}`
}

/**
 * The version that flows opened now are pinned to: the newest that is in force. One for later leaves
 * today's in force, and takes over by itself when its time comes.
 */
export function findCurrentContract(
  authority: Pick<Authority, 'contracts'>,
  agentId: string,
  now: string,
): DeployedContract | undefined {
  const at = parseInstant(now)
  return authority.contracts
    .get(agentId)
    ?.findLast(({ contract, revoked }) => !revoked && isInForce(contract, at))
}

/** For people: the version in force or, where none is, the newest that nobody revoked. */
export function findShownContract(
  authority: Pick<Authority, 'contracts'>,
  agentId: string,
  now: string,
): DeployedContract | undefined {
  const versions = authority.contracts.get(agentId)
  return (
    findCurrentContract(authority, agentId, now) ?? versions?.findLast(({ revoked }) => !revoked)
  )
}

export function findPinnedContract(
  authority: Pick<Authority, 'contracts'>,
  agentId: string,
  hash: string,
): DeployedContract | undefined {
  return authority.contracts.get(agentId)?.find((version) => version.hash === hash)
}

/** Neither retired nor compromised. */
export function isKeyInUse(key: KeyRecord): boolean {
  return key.retired_seq === undefined && key.compromised_since_seq === undefined
}
