/** The versions of an agent's contract, and the entries that made them law. */
import {
  AUTHORITY,
  type Authority,
  type Contract,
  type ContractPayload,
  findCurrentContract,
  type KeyRecord,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../../../ports/store.ts'

export type ContractVersion = {
  readonly version: string
  readonly contract_hash: string
  readonly seq: number
  readonly at: string
  /** Whose key signed it, and which. */
  readonly signed_by: string
  readonly key_id: string
  /** The person who had it signed, where that was recorded. */
  readonly by: string | null
  readonly revoked: boolean
  readonly in_force: boolean
  readonly contract: Contract
}

const VERSIONS_SHOWN = 50

/** The newest first, and not more than people look at. */
export async function listContractVersions(
  store: Pick<Store, 'listEntries'>,
  authority: Authority,
  agent: string,
  now: string,
): Promise<readonly ContractVersion[]> {
  const all = authority.contracts.get(agent) ?? []
  const current = findCurrentContract(authority, agent, now)
  const versions: ContractVersion[] = []
  for (const one of all.slice(-VERSIONS_SHOWN).toReversed()) {
    const { contract, hash: contract_hash, seq, revoked } = one
    const [entry] = await store.listEntries(AUTHORITY, seq, 1)
    const { version } = contract
    const in_force = one === current
    const signed = findSigner(entry, authority.keys)
    versions.push({ version, contract_hash, seq, ...signed, revoked, in_force, contract })
  }
  return versions
}

const NOBODY = { signed_by: '', key_id: '', by: null }

function findSigner(
  entry: StoredEntry | undefined,
  keys: ReadonlyMap<string, KeyRecord>,
): Pick<ContractVersion, 'at' | 'signed_by' | 'key_id' | 'by'> {
  const at = entry?.envelope.at ?? ''
  if (entry === undefined || entry.payload === null) return { at, ...NOBODY }
  const { body, signature } = parseContractPayload(entry.payload)
  const { key_id } = signature
  const by = body.action === 'deploy' ? (body.by ?? null) : null
  return { at, signed_by: keys.get(key_id)?.subject ?? '', key_id, by }
}

/** Entries in our own store are what we wrote there. */
function parseContractPayload(payload: string): ContractPayload {
  return JSON.parse(payload) as ContractPayload
}
