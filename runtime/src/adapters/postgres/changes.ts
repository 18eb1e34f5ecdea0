/** What a batch has to write. */
import type {
  ExecutionRow,
  FlowRow,
  StoredEntry,
  TrajectoryHead,
  WritRow,
} from '../../ports/store.ts'
import type { RecordChange, RestoredRow, WorldChange } from '../unit/unit-plan.ts'

/** An entry, and the last entry of the authority when it was made. */
export type NewEntry = { readonly entry: StoredEntry; readonly authorityHead: number }

/** The rows that a batch writes, each in its final state. */
export type Changes = {
  readonly entries: NewEntry[]
  readonly heads: Map<string, TrajectoryHead>
  readonly worlds: Map<string, WorldChange>
  readonly flows: Map<string, FlowRow>
  readonly executions: Map<string, ExecutionRow>
  /** Rows that are there: of these only what can change is written. */
  readonly movedFlows: Map<string, FlowRow>
  readonly movedExecutions: Map<string, ExecutionRow>
  readonly droppedExecutions: Map<string, Pick<ExecutionRow, 'dfid' | 'step_id'>>
  readonly writs: Map<string, WritRow>
  readonly counters: Map<string, number>
  readonly records: Map<string, RecordChange>
  /** Flows of which the content goes, once everything else is written. */
  readonly erased: Set<string>
  readonly archived: Set<string>
  readonly restored: RestoredRow[]
}

export function createChanges(): Changes {
  return {
    entries: [],
    heads: new Map(),
    worlds: new Map(),
    flows: new Map(),
    executions: new Map(),
    movedFlows: new Map(),
    movedExecutions: new Map(),
    droppedExecutions: new Map(),
    writs: new Map(),
    counters: new Map(),
    records: new Map(),
    erased: new Set(),
    archived: new Set(),
    restored: [],
  }
}
