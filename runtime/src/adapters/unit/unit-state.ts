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
  leafCount(): number | null
  findHead(trajectory: string): TrajectoryHead | undefined
  flowVersion(dfid: string): number | undefined
  /** How many entries a flow has in a trajectory. */
  flowEntries(dfid: string, trajectory: string): number
  executionVersion(dfid: string, stepId: string): number | undefined
  counter(id: string): number
  recordVersion(ref: RecordRef): number | undefined
  /** Every hold on a resource. */
  locks(resource: string): Iterable<StoredRecord<'lock'>>
  findResource(trajectory: string, kind: string, id: string): Resource | undefined
  resources(trajectory: string): Iterable<Resource>
  findPage(trajectory: string, prefix: string): TrieNode | undefined
  entry(trajectory: string, seq: number): StoredEntry | undefined
  /** The commits of a trajectory up to and including `last`, oldest first. */
  commits(trajectory: string, last: number): Iterable<StoredEntry>
  hasCommitAfter(trajectory: string, seq: number): boolean
}
