/**
 * Who may do what, as of a position: the fold of a tenant's authority trajectory.
 *
 * Immutable, so that a decision and the guard on its `authority_seq` speak of the same thing. The
 * fold does not check signatures; whoever wrote or verifies the ledger did.
 */
import type { Address } from '../canonical/address.ts'
import type { Contract } from '../contract/contract.ts'
import type { AgentStatus } from '../contract/lifecycle.ts'
import type { KeyRecord } from '../keys/key.ts'
import { keyAfter } from '../keys/key-set.ts'
import type { Entry } from './entry.ts'
import type {
  AnchorPayload,
  ContractPayload,
  KeyPayload,
  LifecyclePayload,
  PolicyPayload,
  RevocationPayload,
} from './payload.ts'

export type DeployedContract = {
  readonly contract: Contract
  readonly hash: Address
  readonly seq: number
  readonly revoked: boolean
}

export type Authority = {
  /** The last seq folded in; -1 before the first. */
  readonly seq: number
  readonly keys: ReadonlyMap<string, KeyRecord>
  /** All versions of an agent's contract, oldest first. */
  readonly contracts: ReadonlyMap<string, readonly DeployedContract[]>
  readonly statuses: ReadonlyMap<string, AgentStatus>
  readonly revokedWrits: ReadonlySet<string>
  readonly rules: PolicyPayload['body'] | null
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
  epoch: 0,
}

export function foldAuthority(before: Authority, entries: readonly Entry[]): Authority {
  return entries.reduce(foldEntry, before)
}

function foldEntry(before: Authority, entry: Entry): Authority {
  const { seq, kind } = entry.envelope
  const after = { ...before, seq }
  if (entry.payload === null) return after
  switch (kind) {
    case 'key':
      return { ...after, keys: foldKey(before, seq, parsePayload<KeyPayload>(entry.payload)) }
    case 'contract':
      return {
        ...after,
        contracts: foldContract(before, seq, parsePayload<ContractPayload>(entry.payload)),
      }
    case 'lifecycle': {
      const { agent_id, to } = parsePayload<LifecyclePayload>(entry.payload).body
      return { ...after, statuses: new Map(before.statuses).set(agent_id, to) }
    }
    case 'revocation':
      return foldRevocation(after, parsePayload<RevocationPayload>(entry.payload))
    case 'policy':
      return { ...after, rules: parsePayload<PolicyPayload>(entry.payload).body }
    case 'anchor':
      return { ...after, epoch: parsePayload<AnchorPayload>(entry.payload).body.epoch }
    default:
      return after
  }
}

/** Payloads of our own ledger are canonical JSON of a known kind. */
function parsePayload<T>(text: string): T {
  return JSON.parse(text) as T
}

/** An entry that does not fit changes nothing; the verifier reports it. */
function foldKey(
  { keys }: Authority,
  seq: number,
  { body }: KeyPayload,
): ReadonlyMap<string, KeyRecord> {
  const key = keyAfter(keys.get(body.key_id), body, seq)
  return key.ok ? new Map(keys).set(body.key_id, key.value) : keys
}

function foldContract(
  { contracts }: Authority,
  seq: number,
  { body }: ContractPayload,
): Authority['contracts'] {
  const { contract, contract_hash, revoke_previous } = body
  const earlier = contracts.get(contract.agent_id) ?? []
  const kept = revoke_previous ? earlier.map((version) => ({ ...version, revoked: true })) : earlier
  const deployed = { contract, hash: contract_hash, seq, revoked: false }
  return new Map(contracts).set(contract.agent_id, [...kept, deployed])
}

function foldRevocation(after: Authority, { body: { target, id } }: RevocationPayload): Authority {
  if (target === 'writ') return { ...after, revokedWrits: new Set(after.revokedWrits).add(id) }
  const contracts = new Map<string, readonly DeployedContract[]>()
  for (const [agent, versions] of after.contracts) {
    const fold = (one: DeployedContract): DeployedContract =>
      namesContract(id, agent, one.contract.version) ? { ...one, revoked: true } : one
    contracts.set(agent, versions.map(fold))
  }
  return { ...after, contracts }
}

/**
 * Does a revocation's id name this version? An agent's name may hold an `@` itself, so the id is
 * compared and not taken apart; people write versions with and without a `v`.
 */
export function namesContract(id: string, agent: string, version: string): boolean {
  return id === agent || id === `${agent}@${version}` || id === `${agent}@v${version}`
}

/** The version that flows opened now are pinned to. */
export function currentContract(
  authority: Authority,
  agentId: string,
): DeployedContract | undefined {
  return authority.contracts.get(agentId)?.findLast((version) => !version.revoked)
}

export function pinnedContract(
  authority: Authority,
  agentId: string,
  hash: string,
): DeployedContract | undefined {
  return authority.contracts.get(agentId)?.find((version) => version.hash === hash)
}

/** Neither retired nor compromised. */
export function keyInUse(key: KeyRecord): boolean {
  return key.retired_seq === undefined && key.compromised_since_seq === undefined
}
