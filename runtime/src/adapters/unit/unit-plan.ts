import type { Resource, TrieNode } from 'rubicon-kernel'
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

/** The rows that a unit writes. Making them cannot fail any more; only storing them can. */
export type UnitPlan = {
  readonly at: string
  readonly entries: readonly StoredEntry[]
  readonly heads: ReadonlyMap<string, TrajectoryHead>
  readonly worlds: ReadonlyMap<string, WorldChange>
  readonly flows: readonly FlowRow[]
  /** Flows of which the content goes; after all other rows. */
  readonly erased: readonly string[]
  readonly executions: readonly ExecutionRow[]
  readonly droppedExecutions: readonly Pick<ExecutionRow, 'dfid' | 'step_id'>[]
  readonly writs: readonly WritRow[]
  readonly counters: ReadonlyMap<string, number>
  readonly records: readonly RecordChange[]
}

export type Planned =
  | { readonly ok: true; readonly plan: UnitPlan }
  | { readonly ok: false; readonly failed: Guard | DeltaFailure }
