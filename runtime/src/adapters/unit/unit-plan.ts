import type { EntryKind, Resource, TrieNode } from 'rubicon-kernel'
import type { RecordBodies, RecordKind, RecordRef } from '../../ports/record.ts'
import type {
  DeltaFailure,
  ExecutionRow,
  FlowRow,
  Guard,
  StoredEntry,
  TrajectoryHead,
  WritRow,
} from '../../ports/store.ts'
import type { RestoredPayload } from '../../ports/unit.ts'

/** What changed in the World of one trajectory: resources and trie pages in their final state. */
export type WorldChange = {
  readonly resources: Map<string, Resource>
  readonly pages: Map<string, TrieNode>
}

/** A record in its final state; a null body: it is gone. */
export type RecordChange = RecordRef & {
  readonly version: number
  readonly body: RecordBodies[RecordKind] | null
}

/** A payload that comes back, with what its entry says of itself. */
export type RestoredRow = RestoredPayload & { readonly dfid: string; readonly kind: EntryKind }

/** The rows that a unit writes. Making them cannot fail any more; only storing them can. */
export type UnitPlan = {
  readonly at: string
  readonly entries: readonly StoredEntry[]
  readonly heads: ReadonlyMap<string, TrajectoryHead>
  readonly worlds: ReadonlyMap<string, WorldChange>
  readonly flows: readonly FlowRow[]
  /** Flows of which the content goes; after all other rows. */
  readonly erased: readonly string[]
  /** Flows of which the payloads go out of the store; after all other rows. */
  readonly archived: readonly string[]
  /** Payloads that come back. */
  readonly restored: readonly RestoredRow[]
  readonly executions: readonly ExecutionRow[]
  readonly droppedExecutions: readonly Pick<ExecutionRow, 'dfid' | 'step_id'>[]
  readonly writs: readonly WritRow[]
  readonly counters: ReadonlyMap<string, number>
  readonly records: readonly RecordChange[]
}

export type Planned =
  | { readonly ok: true; readonly plan: UnitPlan }
  | { readonly ok: false; readonly failed: Guard | DeltaFailure }
