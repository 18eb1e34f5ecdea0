/**
 * What the units of one batch are judged against: the rows that were read for it, with what earlier
 * units of the batch made of them.
 *
 * Invariants:
 * 1. What was not read is not taken for absent: `Missing` says what has to be read first.
 * 2. The World and the entries of a trajectory are read only while its head is held: otherwise they
 *    could be of different moments.
 * 3. A row that changes more than once is written once, as the last unit left it.
 */
import {
  AUTHORITY,
  assert,
  isIdentifier,
  type Resource,
  type Sha256,
  type TrieNode,
} from 'rubicon-kernel'
import type { RecordRef, StoredRecord } from '../../ports/record.ts'
import type { StoredEntry, TrajectoryHead } from '../../ports/store.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import type { RecordChange, UnitPlan, WorldChange } from '../unit/unit-plan.ts'
import type { UnitState } from '../unit/unit-state.ts'
import { CheckedWorlds } from '../unit/world-check.ts'
import { type Changes, createChanges } from './changes.ts'
import { Missing } from './missing.ts'
import { joinKey, recordName, toPageName, toWorldName } from './wanted.ts'

/** The commits up to `last`, as they were stored before the batch. */
export type CommitRows = { readonly last: number; readonly rows: readonly StoredEntry[] }

/** Null: it was looked for, and there is none. */
type Known<V> = Map<string, V | null>

export class PostgresState implements UnitState {
  readonly epochs: Set<number> = new Set()
  readonly heads: Known<TrajectoryHead> = new Map()
  readonly flows: Known<number> = new Map()
  /** Entries that a flow has in a trajectory. */
  readonly flowCounts: Known<number> = new Map()
  readonly executions: Known<number> = new Map()
  readonly counters: Known<number | StoreDiverged> = new Map()
  readonly recordVersions: Known<number | StoreDiverged> = new Map()
  readonly lockRecords: Map<string, Map<string, StoredRecord<'lock'>>> = new Map()
  /** Resources of which a hold is not believed. */
  readonly refusedHolds: Map<string, StoreDiverged> = new Map()
  /** By trajectory and name. */
  readonly resourceRows: Known<Resource> = new Map()
  /** All resources of a World, of those that were read whole. */
  readonly worlds: Map<string, Map<string, Resource>> = new Map()
  readonly pages: Known<TrieNode> = new Map()
  readonly entryRows: Known<StoredEntry> = new Map()
  readonly lastCommits: Map<string, number> = new Map()
  readonly commitRows: Map<string, CommitRows> = new Map()
  readonly changes: Changes = createChanges()

  readonly #started: Set<string> = new Set()
  readonly #checked: CheckedWorlds

  constructor(sha256: Sha256) {
    this.#checked = new CheckedWorlds(this, sha256)
  }

  isAlive(epoch: number): boolean {
    return this.epochs.has(epoch)
  }

  /** The sequencer gives them their place later. */
  countLeaves(): null {
    return null
  }

  findHead(trajectory: string): TrajectoryHead | undefined {
    const head = this.heads.get(trajectory)
    if (head === undefined) throw new Missing({ kind: 'head', trajectory })
    return head ?? undefined
  }

  findFlowVersion(dfid: string): number | undefined {
    return getKnownRow(this.flows, dfid)
  }

  countFlowEntries(dfid: string, trajectory: string): number {
    return getKnownRow(this.flowCounts, joinKey(dfid, trajectory)) ?? 0
  }

  findExecutionVersion(dfid: string, stepId: string): number | undefined {
    return getKnownRow(this.executions, joinKey(dfid, stepId))
  }

  getCounter(id: string): number {
    return getBelievedRow(this.counters, id) ?? 0
  }

  recordVersion(ref: RecordRef): number | undefined {
    if (ref.record === 'lock') return this.#getLocks(ref.group).get(ref.key)?.version
    return getBelievedRow(this.recordVersions, recordName(ref))
  }

  listLocks(resource: string): Iterable<StoredRecord<'lock'>> {
    return this.#getLocks(resource).values()
  }

  findResource(trajectory: string, kind: string, id: string): Resource | undefined {
    if (!isIdentifier(kind) || this.#isNew(trajectory)) {
      return this.resourceRows.get(joinKey(trajectory, joinKey(kind, id))) ?? undefined
    }
    const named = { trajectory, kind, id }
    return this.#checked.verifyResource(named, getKnownRow(this.resourceRows, toWorldName(named)))
  }

  listResources(trajectory: string): Iterable<Resource> {
    if (this.findHead(trajectory) === undefined) return []
    const world = this.worlds.get(trajectory)
    if (world === undefined) throw new Missing({ kind: 'world', trajectory })
    return world.values()
  }

  findPage(trajectory: string, prefix: string): TrieNode | undefined {
    const page = this.pages.get(toPageName({ trajectory, prefix }))
    if (page === null) return undefined
    if (page !== undefined) return this.#checked.verifyPage(trajectory, prefix, page)
    if (this.#isNew(trajectory)) return undefined
    throw new Missing({ kind: 'page', trajectory, prefix })
  }

  findEntry(trajectory: string, seq: number): StoredEntry | undefined {
    if (this.findHead(trajectory) === undefined) return undefined
    const known = this.entryRows.get(toEntryName(trajectory, seq))
    if (known === undefined) throw new Missing({ kind: 'entry', trajectory, seq })
    return known ?? undefined
  }

  *listCommits(trajectory: string, last: number): Iterable<StoredEntry> {
    if (!this.#isNew(trajectory)) {
      const stored = this.commitRows.get(trajectory)
      if (stored === undefined || stored.last < last) {
        throw new Missing({ kind: 'commits', trajectory, last })
      }
      yield* stored.rows.filter(({ envelope }) => envelope.seq <= last)
    }
    yield* this.#listOwnCommits(trajectory).filter(({ envelope }) => envelope.seq <= last)
  }

  hasCommitAfter(trajectory: string, seq: number): boolean {
    if (this.#listOwnCommits(trajectory).some(({ envelope }) => envelope.seq > seq)) return true
    if (this.#isNew(trajectory)) return false
    const last = this.lastCommits.get(trajectory)
    if (last === undefined) throw new Missing({ kind: 'last_commit', trajectory })
    return last > seq
  }

  /** Makes the rows of a unit visible to the next, and keeps them to be written. */
  apply(plan: UnitPlan): void {
    this.#applyEntries(plan)
    this.#applyRows(plan)
    this.#applyRecords(plan.records)
    for (const [trajectory, change] of plan.worlds) this.#applyWorld(trajectory, change)
    for (const [trajectory, head] of plan.heads) {
      this.heads.set(trajectory, head)
      this.changes.heads.set(trajectory, head)
    }
  }

  /** It starts in this batch, or not at all: there is nothing to read of it. */
  #isNew(trajectory: string): boolean {
    return this.findHead(trajectory) === undefined || this.#started.has(trajectory)
  }

  #getLocks(resource: string): Map<string, StoredRecord<'lock'>> {
    const refused = this.refusedHolds.get(resource)
    if (refused !== undefined) throw refused
    const holds = this.lockRecords.get(resource)
    assert(holds !== undefined, 'a unit asks only for what was read')
    return holds
  }

  #listOwnCommits(trajectory: string): readonly StoredEntry[] {
    return this.changes.entries.flatMap(({ entry }) => {
      const { envelope } = entry
      return envelope.kind === 'commit' && envelope.trajectory === trajectory ? [entry] : []
    })
  }

  #applyEntries({ entries }: UnitPlan): void {
    let authorityHead = this.findHead(AUTHORITY)?.seq ?? -1
    for (const entry of entries) {
      const { trajectory, seq, dfid } = entry.envelope
      if (trajectory === AUTHORITY) authorityHead = seq
      const counted = joinKey(dfid ?? '', trajectory)
      const before = this.flowCounts.get(counted)
      if (before !== undefined) this.flowCounts.set(counted, (before ?? 0) + 1)
      this.changes.entries.push({ entry, authorityHead })
      this.entryRows.set(toEntryName(trajectory, seq), entry)
      if (seq > 0) continue
      this.#started.add(trajectory)
      this.worlds.set(trajectory, new Map())
    }
  }

  #applyRows(plan: UnitPlan): void {
    const { flows, executions, droppedExecutions, writs, counters, erased, archived, restored } =
      plan

    const { changes } = this
    for (const flow of flows) {
      const isNew = changes.flows.has(flow.dfid) || !isFurther(flow, this.flows.get(flow.dfid))
      this.flows.set(flow.dfid, flow.version)
      if (isNew) changes.movedFlows.delete(flow.dfid)
      const rows = isNew ? changes.flows : changes.movedFlows
      rows.set(flow.dfid, flow)
    }
    for (const execution of executions) {
      const name = joinKey(execution.dfid, execution.step_id)
      const isNew = changes.executions.has(name) || !isFurther(execution, this.executions.get(name))
      this.executions.set(name, execution.version)
      if (isNew) changes.movedExecutions.delete(name)
      const rows = isNew ? changes.executions : changes.movedExecutions
      rows.set(name, execution)
      changes.droppedExecutions.delete(name)
    }
    for (const step of droppedExecutions) {
      const name = joinKey(step.dfid, step.step_id)
      this.executions.set(name, null)
      changes.executions.delete(name)
      changes.movedExecutions.delete(name)
      changes.droppedExecutions.set(name, step)
    }
    for (const row of writs) this.changes.writs.set(row.writ.id, row)
    for (const dfid of erased) this.changes.erased.add(dfid)
    for (const dfid of archived) this.changes.archived.add(dfid)
    this.changes.restored.push(...restored)
    for (const [id, used] of counters) {
      this.counters.set(id, used)
      this.changes.counters.set(id, used)
    }
  }

  #applyRecords(records: readonly RecordChange[]): void {
    for (const change of records) {
      const { record, group, key, version, body } = change
      const name = recordName(change)
      this.changes.records.set(name, change)
      this.recordVersions.set(name, body === null ? null : version)
      if (record !== 'lock') continue
      const holds = this.#getLocks(group)
      if (body === null) holds.delete(key)
      else holds.set(key, parseLock({ group, key, version, body }))
    }
  }

  #applyWorld(trajectory: string, { resources, pages }: WorldChange): void {
    const change = this.changes.worlds.get(trajectory) ?? {
      resources: new Map<string, Resource>(),
      pages: new Map<string, TrieNode>(),
    }
    this.changes.worlds.set(trajectory, change)
    for (const [name, resource] of resources) {
      change.resources.set(name, resource)
      this.resourceRows.set(joinKey(trajectory, name), resource)
      this.worlds.get(trajectory)?.set(name, resource)
    }
    for (const [prefix, page] of pages) {
      change.pages.set(prefix, page)
      this.pages.set(toPageName({ trajectory, prefix }), page)
    }
  }
}

/** A row that starts again is another one, to be written whole. */
function isFurther(row: { readonly version: number }, stored: number | null | undefined): boolean {
  return typeof stored === 'number' && row.version > stored
}

/** What the units name was read before; asking for more is a mistake of ours. */
/** Throws where the row is not believed. */
function getBelievedRow<V>(rows: Known<V | StoreDiverged>, name: string): V | undefined {
  const row = getKnownRow(rows, name)
  if (row instanceof StoreDiverged) throw row
  return row
}

function getKnownRow<V>(rows: ReadonlyMap<string, V | null>, name: string): V | undefined {
  const value = rows.get(name)
  assert(value !== undefined, 'a unit asks only for what was read')
  return value ?? undefined
}

export function toEntryName(trajectory: string, seq: number): string {
  return joinKey(trajectory, String(seq))
}

/** A record of the kind `lock` has the body of one. */
function parseLock(row: object): StoredRecord<'lock'> {
  return row as StoredRecord<'lock'>
}
