/**
 * What the engine needs of a store: to read a decision's rows, and to make a unit of work durable.
 *
 * A unit is `{guards, writes}`. The store checks the guards and applies the writes atomically,
 * assigning seq, parent and time itself; units that arrive together may share a transaction.
 *
 * S1 `commit` resolves only after the unit is durable; a unit is applied whole or not at all.
 * S2 guards are evaluated against everything committed before the unit, units of the same batch
 *    included. A failed guard leaves no trace.
 * S3 entries are only appended: `seq` contiguous, `parent` the previous id, `at` never backwards,
 *    neither in the trajectory nor behind the authority trajectory.
 * S4 leaves are numbered in commit order, without gaps: that order is the tenant's tree.
 * S5 when a transaction fails, every unit in it rejects with a `StoreError`, and nothing of them is
 *    visible afterwards.
 * A store is bound to one tenant; no call can name another.
 */
import type {
  Address,
  CommitPayload,
  Delta,
  Entry,
  EntryKind,
  ExecutionStatus,
  FlowState,
  FlowTag,
  JsonValue,
  Position,
  WorldFact,
  Writ,
} from 'rubicon-kernel'

/** A decision flow, as the engine keeps it between calls. `version` counts its writes from 1. */
export type FlowRow = {
  readonly dfid: string
  readonly version: number
  readonly agent_id: string
  readonly trigger: string
  readonly parent_dfid: string | null
  readonly root_dfid: string
  readonly trajectory: string
  readonly state: FlowState
  readonly tags: readonly FlowTag[]
  readonly steps: 'one' | 'many'
  readonly rejections: number
  readonly transient_rejections: number
  /** Proposals judged so far. */
  readonly attempts: number
  readonly snapshot_id: string
  readonly snapshot_at: string
  readonly mission_hash: string
  readonly contract_hash: Address
  readonly contract_seq: number
  /** The flow's writ chain, leaf first; the nonce also names its counters. */
  readonly writs: readonly WritRef[]
  readonly opened_at: string
  readonly updated_at: string
  /** Every transition, oldest first. */
  readonly history: readonly FlowStep[]
}

/** A writ by its address; its nonce is the dfid of the flow whose opening entry holds it. */
export type WritRef = { readonly id: Address; readonly nonce: string }
export type FlowStep = {
  readonly from: FlowState | null
  readonly to: FlowState
  readonly at: string
}

/** A claimed step and what became of it. The row is the claim: (tenant, dfid, step_id). */
export type ExecutionRow = {
  readonly dfid: string
  readonly step_id: string
  readonly version: number
  readonly trajectory: string
  readonly status: ExecutionStatus
  readonly policy_kind: string
  readonly params_fingerprint: string
  readonly idempotency_key: string
  /** The signed intent, as canonical text: a resend sends these bytes again. */
  readonly intent: string
  readonly dispatched: Position
  readonly dispatched_at: string
  readonly last_sent_at: string
  readonly sends: number
  readonly probes: number
  /** The engine that sent it last; a dead engine's sends are unknown. */
  readonly epoch: number
  /** When reconciliation looks at it again; null when it never will. */
  readonly next_at: string | null
  readonly reason_code: string | null
  readonly result: JsonValue
  readonly receipt: JsonValue
  readonly settled_at: string | null
}

/** An explicitly issued writ. Writs that the runtime issues when a flow opens stand in the flow. */
export type WritRow = { readonly writ: Writ; readonly position: Position }

/** `null` version: the resource must not exist. */
export type Guard =
  | { readonly kind: 'flow_absent'; readonly dfid: string }
  | { readonly kind: 'flow_version'; readonly dfid: string; readonly version: number }
  | { readonly kind: 'claim_absent'; readonly dfid: string; readonly step_id: string }
  | {
      readonly kind: 'execution_version'
      readonly dfid: string
      readonly step_id: string
      readonly version: number
    }
  /** Counter `id` plus `by` stays within `limit`; both in minor units. A missing counter is 0. */
  | { readonly kind: 'counter'; readonly id: string; readonly by: number; readonly limit: number }
  /** The authority trajectory still ends at `seq` (-1: it does not exist yet). */
  | { readonly kind: 'authority_seq'; readonly seq: number }
  /** The time that the store will write is earlier than this. */
  | { readonly kind: 'before'; readonly at: string }
  | {
      readonly kind: 'world_version'
      readonly trajectory: string
      readonly resource: { readonly kind: string; readonly id: string }
      readonly version: number | null
    }
  | { readonly kind: 'trajectory_absent'; readonly trajectory: string }
  | { readonly kind: 'engine_epoch'; readonly epoch: number }

export type Write =
  | {
      readonly kind: 'append'
      readonly trajectory: string
      readonly entry: Exclude<EntryKind, 'commit' | 'branch'>
      readonly dfid?: string
      readonly authority_seq?: number
      /** Canonical JSON text. */
      readonly payload: string
    }
  /** A commit: the store folds the delta, and completes the payload with inverse and world_after. */
  | {
      readonly kind: 'append_commit'
      readonly trajectory: string
      readonly dfid: string
      readonly delta: Delta
      readonly payload: Omit<CommitPayload, 'delta' | 'inverse' | 'world_after'>
    }
  /** Starts a trajectory from an entry of another, with its World as of that entry's head. */
  | {
      readonly kind: 'append_branch'
      readonly trajectory: string
      readonly source: Position
      readonly note: string
    }
  /** Inserts or replaces; the stored version is the row's. */
  | { readonly kind: 'put_flow'; readonly flow: FlowRow }
  /** `entry`: index, among this unit's writes, of the append whose position becomes `dispatched`. */
  | { readonly kind: 'put_execution'; readonly execution: ExecutionRow; readonly entry?: number }
  | { readonly kind: 'put_writ'; readonly writ: Writ; readonly entry: number }
  /** Adds to a counter (creating it at 0 first). Never below 0. */
  | { readonly kind: 'count'; readonly id: string; readonly by: number }

export type Unit = { readonly guards: readonly Guard[]; readonly writes: readonly Write[] }

export type AppendedEntry = {
  readonly trajectory: string
  readonly seq: number
  readonly id: Address
  readonly leaf: number
}

export type DeltaFailure = {
  readonly kind: 'delta'
  readonly code: 'DELTA_CONFLICT' | 'DELTA_INVALID'
  readonly detail: string
}

export type UnitOutcome =
  | { readonly ok: true; readonly at: string; readonly entries: readonly AppendedEntry[] }
  | { readonly ok: false; readonly failed: Guard | DeltaFailure }

export type StoredEntry = Entry & { readonly leaf: number }

/** Everything the path of a decision reads, in one go and from one moment. */
export type DecisionView = {
  /** Authority time: the later of the clock and of what the ledger has already written. */
  readonly now: string
  readonly authority_seq: number
  readonly flow: FlowRow
  readonly claim: ExecutionRow | null
  /** Minor units used of each counter asked for. */
  readonly counters: Readonly<Record<string, number>>
}

export type TrajectoryHead = {
  readonly trajectory: string
  readonly seq: number
  readonly id: Address
  readonly at: string
  readonly world_root: string
}

export type StoredCheckpoint = {
  readonly epoch: number
  readonly size: number
  /** The signed note. */
  readonly note: string
  /** The compact range of the first `size` leaves, encoded. */
  readonly frontier: Uint8Array
}

export type FlowFilter = {
  readonly state?: readonly FlowState[]
  readonly agent_id?: string
  readonly parent_dfid?: string
  /** Only flows before this dfid (they are ordered by time, newest first). */
  readonly before?: string
  readonly limit: number
}

export interface Store {
  readonly name: string
  readonly tenant: string
  /** The position of this process among those that ever opened the store; 0 when read-only. */
  readonly epoch: number

  commit(unit: Unit): Promise<UnitOutcome>

  now(trajectory: string): Promise<{ readonly now: string; readonly authority_seq: number }>
  decision(
    dfid: string,
    stepId: string,
    counters: (flow: FlowRow) => readonly string[],
  ): Promise<DecisionView | null>
  flow(dfid: string): Promise<FlowRow | null>
  flows(filter: FlowFilter): Promise<readonly FlowRow[]>
  executions(filter: {
    readonly status?: readonly ExecutionStatus[]
    readonly dfid?: string
    readonly limit: number
  }): Promise<readonly ExecutionRow[]>
  counter(id: string): Promise<number>
  writ(id: Address): Promise<WritRow | null>
  writs(limit: number): Promise<readonly WritRow[]>
  resources(
    trajectory: string,
    refs: readonly { readonly kind: string; readonly id: string }[],
  ): Promise<readonly WorldFact[]>
  /** All resources of a trajectory's World, a page at a time, ordered by key. */
  world(trajectory: string, after: string | null, limit: number): Promise<readonly WorldFact[]>

  heads(): Promise<readonly TrajectoryHead[]>
  entries(trajectory: string, from: number, limit: number): Promise<readonly StoredEntry[]>
  entriesOfFlow(dfid: string): Promise<readonly StoredEntry[]>
  leaves(from: number, limit: number): Promise<readonly StoredEntry[]>
  leafCount(): Promise<number>

  /** Hash of the 256 leaves from `index * 256` on, once a checkpoint covered them. */
  tile(index: number): Promise<Uint8Array | null>
  checkpoint(): Promise<StoredCheckpoint | null>
  saveCheckpoint(
    checkpoint: StoredCheckpoint,
    tiles: readonly { readonly index: number; readonly hash: Uint8Array }[],
  ): Promise<void>

  close(): Promise<void>
}

export type StoreErrorCode =
  | 'STORE_FULL'
  | 'STORE_CORRUPT'
  | 'STORE_READ_ONLY'
  | 'STORE_LOCKED'
  | 'STORE_NEWER'
  | 'STORE_MISSING'
  | 'STORE_CLOSED'
  | 'STORE_ERROR'

/** The store could not do its job. Thrown, since no caller can decide anything without it. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly fix: string

  constructor(code: StoreErrorCode, message: string, fix: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.code = code
    this.fix = fix
  }
}
