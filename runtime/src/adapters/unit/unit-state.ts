import type { Resource, TrieNode } from 'rubicon-kernel'
import type { RecordRef, StoredRecord } from '../../ports/record.ts'
import type { StoredEntry, TrajectoryHead } from '../../ports/store.ts'

/**
 * What a unit is judged against: everything committed before it. Synchronous, so that nothing can
 * come between the judgement and the write.
 */
export interface UnitState {
  /** False once another engine has declared this one dead. */
  isAlive(epoch: number): boolean
  /** The next leaf; null where entries get their place in the tree later. */
  countLeaves(): number | null
  findHead(trajectory: string): TrajectoryHead | undefined
  findFlowVersion(dfid: string): number | undefined
  /** How many entries a flow has in a trajectory. */
  countFlowEntries(dfid: string, trajectory: string): number
  findExecutionVersion(dfid: string, stepId: string): number | undefined
  getCounter(id: string): number
  recordVersion(ref: RecordRef): number | undefined
  /** Every hold on a resource. */
  listLocks(resource: string): Iterable<StoredRecord<'lock'>>
  findResource(trajectory: string, kind: string, id: string): Resource | undefined
  listResources(trajectory: string): Iterable<Resource>
  findPage(trajectory: string, prefix: string): TrieNode | undefined
  findEntry(trajectory: string, seq: number): StoredEntry | undefined
  /** The commits of a trajectory up to and including `last`, oldest first. */
  listCommits(trajectory: string, last: number): Iterable<StoredEntry>
  hasCommitAfter(trajectory: string, seq: number): boolean
}
