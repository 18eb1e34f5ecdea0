import type { Resource, TrieNode } from 'rubicon-kernel'
import type {
  ExecutionRow,
  FlowRow,
  StoredCheckpoint,
  StoredEntry,
  TrajectoryHead,
  WritRow,
} from '../../ports/store.ts'

export type WorldTable = {
  readonly resources: Map<string, Resource>
  readonly pages: Map<string, TrieNode>
}

export type Tables = {
  readonly entries: StoredEntry[]
  readonly byTrajectory: Map<string, StoredEntry[]>
  readonly byFlow: Map<string, StoredEntry[]>
  readonly heads: Map<string, TrajectoryHead>
  readonly worlds: Map<string, WorldTable>
  readonly flows: Map<string, FlowRow>
  /** By dfid and step, since a flow's steps are asked for together. */
  readonly executions: Map<string, Map<string, ExecutionRow>>
  readonly writs: Map<string, WritRow>
  readonly counters: Map<string, number>
  readonly checkpoints: StoredCheckpoint[]
  readonly tiles: Map<number, Uint8Array>
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
    checkpoints: [],
    tiles: new Map(),
  }
}

/** The value under a key, made the first time. */
export function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
