/**
 * What an agent is handed: the snapshot, with its id and what its hashes stand for.
 *
 * Everything here but `compiled_at` and `evidence` follows from the snapshot, the pinned contract and what the
 * addresses in its memory stand for, so that the id vouches for all of it.
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

/** What an agent is shown, and decides on. */
export type WorkingContext = Mission & {
  /** The flow. */
  readonly dfid: string
  /** The agent. */
  readonly agent_id: string
  /** Of what is shown: a proposal refers to it as `context_ref`. */
  readonly snapshot_id: Address
  /** Of the context. */
  readonly schema_version: string
  /** When it was put together. */
  readonly compiled_at: string
  /** Of mission and contract as they are shown. */
  readonly mission_context_hash: Address
  /** Of the contract that holds in this flow. */
  readonly contract_hash: Address
  /** What a proof binds beside flow and snapshot, where the rules ask this agent for proofs. */
  readonly evidence?: {
    /** Of the contract. */
    readonly h_c: string
    /** Of the rules. */
    readonly h_r: string
  }
  /** Why the flow was opened, in somebody's words. */
  readonly trigger: string
  /** What is known of the outside. */
  readonly state: readonly StateFact[]
  /** What the runtime itself keeps account of. */
  readonly world: readonly WorldFact[]
  /** What was said and done in this flow. */
  readonly session: readonly SessionEvent[]
  /** Earlier decisions of the agent. */
  readonly memory: readonly MemoryEntry[]
  /** Pieces of documents that fit. */
  readonly artifacts: readonly ArtifactRef[]
  /** How to answer: the version of a proposal, and the kinds that may be proposed. */
  readonly policy_schema: {
    /** Of the context. */
    /** Of a proposal. */
    readonly schema_version: string
    /** The kinds that may be proposed. */
    readonly policy_kinds: readonly string[]
  }
  /** How many tokens it may have, and has. */
  readonly budget: ContextBudget
  /** What was left out. */
  readonly trimmed: Trimmed
}

export function buildWorkingContext(
  { value: snapshot, address }: Addressed<Snapshot>,
  contract: Contract,
  besides: Pick<WorkingContext, 'compiled_at' | 'budget' | 'memory' | 'evidence'>,
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
