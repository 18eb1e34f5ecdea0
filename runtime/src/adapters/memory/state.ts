import { isIdentifier, toResourceName } from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import type { UnitState } from '../unit/unit-state.ts'
import { listRecords } from './read.ts'
import { groupName, type Tables } from './tables.ts'

export function createMemoryState(tables: Tables, isAlive: UnitState['isAlive']): UnitState {
  const { entries, byTrajectory, heads, worlds, flows, executions, counters } = tables
  const commits = function* (trajectory: string, last: number): Iterable<StoredEntry> {
    for (const entry of byTrajectory.get(trajectory) ?? []) {
      if (entry.envelope.seq > last) return
      if (entry.envelope.kind === 'commit') yield entry
    }
  }
  return {
    isAlive,
    listCommits: commits,
    countLeaves: () => entries.length,
    findHead: (trajectory) => heads.get(trajectory),
    findFlowVersion: (dfid) => flows.get(dfid)?.version,
    countFlowEntries: (dfid, trajectory) =>
      tables.byFlow.get(dfid)?.filter(({ envelope }) => envelope.trajectory === trajectory)
        .length ?? 0,
    findExecutionVersion: (dfid, stepId) => executions.get(dfid)?.get(stepId)?.version,
    getCounter: (id) => counters.get(id) ?? 0,
    recordVersion: (ref) => tables.records.get(groupName(ref))?.get(ref.key)?.version,
    listLocks: (resource) =>
      listRecords(tables, 'lock', resource, { limit: Number.MAX_SAFE_INTEGER }),
    findResource: (trajectory, kind, id) =>
      isIdentifier(kind)
        ? worlds.get(trajectory)?.resources.get(toResourceName(kind, id))
        : undefined,
    listResources: (trajectory) => worlds.get(trajectory)?.resources.values() ?? [],
    findPage: (trajectory, prefix) => worlds.get(trajectory)?.pages.get(prefix),
    findEntry: (trajectory, seq) => byTrajectory.get(trajectory)?.[seq],
    hasCommitAfter: (trajectory, seq) =>
      byTrajectory.get(trajectory)?.some(({ envelope }) => {
        return envelope.seq > seq && envelope.kind === 'commit'
      }) ?? false,
  }
}
