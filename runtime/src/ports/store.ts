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
 * S4 leaves are numbered without gaps: that order is the tenant's tree. It keeps the order of every
 *    trajectory, and an authority entry n stands after all entries that cite less than n and before
 *    those that cite n or more. A store may number entries some time after they were committed.
 * S5 when a transaction fails, every unit in it rejects with a `StoreError`, and nothing of them is
 *    visible afterwards. Where the answer to its COMMIT is lost for good they may be there: whole.
 * S6 the tree grows with its leaves, in one transaction: the tiles that become whole, and the signed
 *    head. It is kept in memory since it was first read, so that what is changed behind the store's
 *    back is never signed. A store that has a head is not extended where nobody signs.
 * A store is bound to one tenant; no call can name another.
 */
import type {
  Address,
  Entry,
  EventRef,
  ExecutionStatus,
  FlowState,
  FlowTag,
  JsonObject,
  JsonValue,
  Position,
  WorldFact,
  Writ,
} from 'rubicon-kernel'
import type { FlowEntriesAsked } from './entry-kinds.ts'
import type { RecordKind, RecordRange, StoredRecord } from './record.ts'
import type { StoreTime } from './store-time.ts'
import type { HeadKeeper, LastPlaced, StoredTree } from './tree.ts'
import type { Unit, UnitOutcome } from './unit.ts'

export type { AppendedEntry, DeltaFailure, Guard, Unit, UnitOutcome, Write } from './unit.ts'

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
  /** When its own writ ends: nothing in it passes from then on. */
  readonly expires_at: string
  readonly updated_at: string
  readonly history: readonly FlowStep[] // Every transition, oldest first.
  readonly event: EventRef | null // What woke its agent; null: it was opened otherwise.
}

/** A flow as a list shows it. */
export type FlowSummary = Pick<
  FlowRow,
  | 'dfid'
  | 'agent_id'
  | 'trigger'
  | 'parent_dfid'
  | 'root_dfid'
  | 'trajectory'
  | 'state'
  | 'tags'
  | 'steps'
  | 'rejections'
  | 'attempts'
  | 'opened_at'
  | 'updated_at'
>

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
  /** What is known about the reason; null once it was applied. */
  readonly details: JsonObject | null
  readonly result: JsonValue
  readonly receipt: JsonValue
  readonly settled_at: string | null
}

/** An explicitly issued writ. Writs that the runtime issues when a flow opens stand in the flow. */
export type WritRow = { readonly writ: Writ; readonly position: Position }

/** `leaf` is null until the entry has its place in the tree. */
export type StoredEntry = Entry & { readonly leaf: number | null }
export type LeafEntry = Entry & { readonly leaf: number }
export type LeafEnvelope = Pick<LeafEntry, 'id' | 'envelope' | 'leaf'>

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
}

export type FlowFilter = {
  readonly state?: readonly FlowState[]
  readonly agent_id?: string
  readonly parent_dfid?: string
  readonly tag?: FlowTag
  /** Only flows before this dfid, and only from that one on (they are ordered by time, newest first). */
  readonly before?: string
  readonly from?: string
  readonly limit: number
}

/** ACTIVE flows whose writ has ended at `until`, the earliest end first. */
export type ExpiredFilter = {
  readonly until: string
  /** Only those that stand behind this one in that order. */
  readonly beyond?: Pick<FlowRow, 'expires_at' | 'dfid'>
  readonly limit: number
}

/** Oldest flow first, steps of a flow by name; `newest`: all of it backwards. */
export type ExecutionFilter = {
  readonly status?: readonly ExecutionStatus[]
  readonly dfid?: string
  /** Of flows of this agent. */
  readonly agent_id?: string
  readonly newest?: boolean
  /** Only those that stand behind this one in the order asked for. */
  readonly beyond?: { readonly dfid: string; readonly step_id: string }
  readonly limit: number
}

/** What can be counted without being read. */
export type Tallied =
  | { readonly of: 'flows'; readonly state: readonly FlowState[] }
  | { readonly of: 'executions'; readonly status: readonly ExecutionStatus[] }
  | { readonly of: 'records'; readonly record: RecordKind; readonly group?: string }

export interface Store {
  readonly name: string
  readonly tenant: string
  readonly shared: boolean // Other processes may write to it at the same time.
  readonly exposed: boolean // A database: whoever holds it can change what it keeps.
  readonly time: StoreTime
  /** The position of this process among those that ever opened the store; 0 when read-only. */
  readonly epoch: number

  commit(unit: Unit): Promise<UnitOutcome>
  overwriteRemains(): Promise<void> // Afterwards the files that it writes have nothing of what was taken out.
  /** Afterwards every entry that was committed before the call has its place in the tree. */
  integrate(): Promise<void>
  /** Which of these engines have ended for good: no unit that names one passes `engine_epoch`. */
  listEndedEpochs(epochs: readonly number[]): Promise<readonly number[]>

  readNow(trajectory: string): Promise<{ readonly now: string; readonly authority_seq: number }>
  readDecision(
    dfid: string,
    stepId: string,
    counters: (flow: FlowRow) => readonly string[],
  ): Promise<DecisionView | null>
  readFlow(dfid: string): Promise<FlowRow | null>
  listFlows(filter: FlowFilter): Promise<readonly FlowRow[]>
  /** The same flows, and no more of them than a list shows. */
  listFlowSummaries(filter: FlowFilter): Promise<readonly FlowSummary[]>
  listExpiredFlows(filter: ExpiredFilter): Promise<readonly FlowRow[]>
  listExecutions(filter: ExecutionFilter): Promise<readonly ExecutionRow[]>
  /** How many there are. Cheap for what is open: an operator asks every few seconds. */
  countRows(what: Tallied): Promise<number>
  readCounter(id: string): Promise<number>
  readRecord<K extends RecordKind>(
    record: K,
    group: string,
    key: string,
  ): Promise<StoredRecord<K> | null>
  /** Of one group, ordered by the bytes of the key. */
  listRecords<K extends RecordKind>(
    record: K,
    group: string,
    range: RecordRange,
  ): Promise<readonly StoredRecord<K>[]>
  readWrit(id: Address): Promise<WritRow | null>
  /** Newest first; only those issued before `before`, and none where that is no writ. */
  listWrits(limit: number, before?: string): Promise<readonly WritRow[]>
  readResources(
    trajectory: string,
    refs: readonly { readonly kind: string; readonly id: string }[],
  ): Promise<readonly WorldFact[]>
  /** All resources of a trajectory's World, a page at a time, ordered by key. */
  listWorld(trajectory: string, after: string | null, limit: number): Promise<readonly WorldFact[]>
  listHeads(): Promise<readonly TrajectoryHead[]>
  listEntries(trajectory: string, from: number, limit: number): Promise<readonly StoredEntry[]>
  /** Of the entries from `from` on and before `to`, those that changed the World. */
  listCommits(trajectory: string, from: number, to: number): Promise<readonly StoredEntry[]>
  listFlowEntries(...asked: FlowEntriesAsked): Promise<readonly StoredEntry[]>
  listLeaves(from: number, limit: number): Promise<readonly LeafEntry[]>
  listLeafEnvelopes(from: number, limit: number): Promise<readonly LeafEnvelope[]> // Without payloads.
  countLeaves(): Promise<number>
  /** The ids of the leaves from `from` on: what the tree is made of. */
  listLeafIds(from: number, limit: number): Promise<readonly Address[]>
  /** Hashes of whole runs of 256 leaves, the first of them from `from * 256` on. */
  listTiles(from: number, limit: number): Promise<readonly Uint8Array[]>
  /** From one moment: what the tree is, and the head that stands in the store. */
  readTree(): Promise<StoredTree>
  /** From here on `keeper` signs heads, at once of what is there: the tree as kept, or read by its leaves. */
  signHeads(keeper: HeadKeeper, from: 'kept' | 'leaves'): Promise<void>
  readonly lastPlaced?: LastPlaced
  readCheckpoint(): Promise<StoredCheckpoint | null>
  saveCheckpoint(checkpoint: StoredCheckpoint): Promise<void>

  close(): Promise<void>
}

export type StoreErrorCode =
  | 'STORE_FULL'
  | 'STORE_CORRUPT'
  | 'HEAD_MISMATCH'
  | 'STORE_DIVERGED'
  | 'STORE_READ_ONLY'
  | 'STORE_LOCKED'
  | 'STORE_NEWER'
  | 'STORE_MISSING'
  | 'STORE_CLOSED'
  /** The clock cannot be believed: nothing is begun until it can. */
  | 'CLOCK_SKEW'
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
