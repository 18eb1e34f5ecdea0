/**
 * What an agent was shown when its flow opened, in its minimal form: who, for what, on which facts.
 *
 * `snapshot_id` addresses all of it, so a proposal that carries the id was made on exactly this.
 * Mission and constraints enter through the hash of the contract that holds them.
 */
import type { Address } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { StateFact, WorldFact } from '../compile/facts.ts'
import { type Addressed, addressed } from '../compile/input.ts'

export const CONTEXT_SCHEMA = '1.0'

export type Snapshot = {
  readonly dfid: string
  readonly agent_id: string
  readonly schema_version: typeof CONTEXT_SCHEMA
  readonly trigger: string
  readonly contract_hash: Address
  readonly mission_context_hash: Address
  readonly policy_kinds: readonly string[]
  readonly state: readonly StateFact[]
  readonly world: readonly WorldFact[]
}

/** The snapshot with its text and its address, which is the `snapshot_id`. */
export function sealSnapshot(snapshot: Snapshot, sha256: Sha256): Addressed<Snapshot> {
  return addressed('snapshot', snapshot, sha256)
}
