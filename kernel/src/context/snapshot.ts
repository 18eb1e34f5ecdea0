/**
 * What an agent was shown when its flow opened: who, for what, on which facts, with what around it.
 *
 * `snapshot_id` addresses all of it, so a proposal that carries the id was made on exactly this.
 * What was said in earlier decisions enters through addresses: it belongs to other flows, and goes with
 * them when they are erased. Mission and constraints enter through the hash of the contract that holds them. The layers stand
 * here only where they hold something: a flow that has none keeps the bytes it always had.
 */
import type { Address } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { type Addressed, toAddressed } from '../compile/input.ts'
import type { StateFact } from '../fact/state-fact.ts'
import type { WorldFact } from '../world/world-fact.ts'
import type { ArtifactRef, ContextBudget, MemoryRef, SessionEvent, Trimmed } from './layers.ts'

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
  /** Oldest first. */
  readonly session?: readonly SessionEvent[]
  /** Oldest first. */
  readonly memory?: readonly MemoryRef[]
  /** Best first. */
  readonly artifacts?: readonly ArtifactRef[]
  /** Absent where nothing was weighed: no layers, nothing left out, and the usual budget. */
  readonly budget?: ContextBudget
  readonly trimmed?: Trimmed
}

/** The snapshot with its text and its address, which is the `snapshot_id`. */
export function sealSnapshot(snapshot: Snapshot, sha256: Sha256): Addressed<Snapshot> {
  return toAddressed('snapshot', snapshot, sha256)
}
