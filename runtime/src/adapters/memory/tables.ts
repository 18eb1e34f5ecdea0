import type { Resource, TrieNode } from 'rubicon-kernel'
import type { RecordKind, RecordRef, StoredRecord } from '../../ports/record.ts'
import type {
  ExecutionRow,
  FlowRow,
  LeafEntry,
  StoredCheckpoint,
  TrajectoryHead,
  WritRow,
} from '../../ports/store.ts'

export type WorldTable = {
  readonly resources: Map<string, Resource>
  readonly pages: Map<string, TrieNode>
}

export type Tables = {
  readonly entries: LeafEntry[]
  readonly byTrajectory: Map<string, LeafEntry[]>
  readonly byFlow: Map<string, LeafEntry[]>
  readonly heads: Map<string, TrajectoryHead>
  readonly worlds: Map<string, WorldTable>
  readonly flows: Map<string, FlowRow>
  /** By dfid and step, since a flow's steps are asked for together. */
  readonly executions: Map<string, Map<string, ExecutionRow>>
  readonly writs: Map<string, WritRow>
  readonly counters: Map<string, number>
  /** By kind and group, then by key. */
  readonly records: Map<string, Map<string, StoredRecord<RecordKind>>>
  readonly checkpoints: StoredCheckpoint[]
  readonly tiles: Uint8Array[]
  /** The signed head of the tree; null before the first. */
  readonly treeHead: { text: string | null }
  /** Who works on a shared store: engines that live, and those that ended or were declared dead. */
  readonly engines: Map<number, 'alive' | 'ended'>
}

export function createTables(): Tables {
  return {
    entries: [],
    byTrajectory: new Map(),
    byFlow: new Map(),
    heads: new Map(),
    worlds: new Map(),
    flows: new Map(),
    executions: new Map(),
    writs: new Map(),
    counters: new Map(),
    records: new Map(),
    checkpoints: [],
    tiles: [],
    treeHead: { text: null },
    engines: new Map(),
  }
}

/** Where the records of a group are. */
export function groupName({ record, group }: Pick<RecordRef, 'record' | 'group'>): string {
  return `${record}\0${group}`
}

/** The value under a key, made the first time. */
export function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
