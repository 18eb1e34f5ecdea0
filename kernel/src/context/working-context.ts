/**
 * What an agent is handed: the snapshot, with its id and what its hashes stand for.
 *
 * Everything here but `compiled_at` follows from the snapshot, the pinned contract and what the addresses
 * in its memory stand for, so that the id vouches for all of it.
 */
import type { Address } from '../canonical/address.ts'
import type { Addressed } from '../compile/input.ts'
import type { Contract } from '../contract/contract.ts'
import { type Mission, toMission } from '../contract/mission.ts'
import type { StateFact } from '../fact/state-fact.ts'
import { POLICY_SCHEMA_VERSION } from '../proposal/schema-version.ts'
import type { WorldFact } from '../world/world-fact.ts'
import type { ArtifactRef, ContextBudget, MemoryEntry, SessionEvent, Trimmed } from './layers.ts'
import type { Snapshot } from './snapshot.ts'

export type WorkingContext = Mission & {
  readonly dfid: string
  readonly agent_id: string
  readonly snapshot_id: Address
  readonly schema_version: string
  readonly compiled_at: string
  readonly mission_context_hash: Address
  readonly contract_hash: Address
  readonly trigger: string
  readonly state: readonly StateFact[]
  readonly world: readonly WorldFact[]
  readonly session: readonly SessionEvent[]
  readonly memory: readonly MemoryEntry[]
  readonly artifacts: readonly ArtifactRef[]
  /** How to answer: the version of a proposal, and the kinds that may be proposed. */
  readonly policy_schema: {
    readonly schema_version: string
    readonly policy_kinds: readonly string[]
  }
  readonly budget: ContextBudget
  readonly trimmed: Trimmed
}

export function buildWorkingContext(
  { value: snapshot, address }: Addressed<Snapshot>,
  contract: Contract,
  besides: Pick<WorkingContext, 'compiled_at' | 'budget' | 'memory'>,
): WorkingContext {
  const { policy_kinds, ...shown } = snapshot
  return {
    session: [],
    artifacts: [],
    trimmed: {},
    ...shown,
    ...toMission(contract),
    snapshot_id: address,
    policy_schema: { schema_version: POLICY_SCHEMA_VERSION, policy_kinds },
    ...besides,
  }
}
