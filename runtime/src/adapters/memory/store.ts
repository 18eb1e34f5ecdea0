/**
 * The store in plain maps: for tests and for the simulator. It lasts as long as the process, or as
 * long as somebody keeps its tables and opens them again. Shared, several work on the same tables.
 *
 * Boundary: all work is done before `commit` returns its promise, so that a simulator decides what
 * happens in which order.
 */
import { type Address, AUTHORITY, type HeadedTree, parseInstant, type Sha256 } from 'rubicon-kernel'
import { CONFIRMED, parseConfirmed } from '../../ports/confirmed-clock.ts'
import type { FlowEntriesAsked } from '../../ports/entry-kinds.ts'
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type { DecisionView, Store, Tallied, Unit, UnitOutcome } from '../../ports/store.ts'
import type { StoreTime } from '../../ports/store-time.ts'
import type { HeadKeeper, StoredTree } from '../../ports/tree.ts'
import { assertInTime, createMachineTime, type KnownTime } from '../unit/clock-watch.ts'
import { createClosedError } from '../unit/closed.ts'
import { GrowingTree } from '../unit/growing-tree.ts'
import { planUnit, toUnitOutcome } from '../unit/plan-unit.ts'
import { computeAuthorityTime, createInstantClock } from '../unit/unit-time.ts'
import { createUnsignedError } from '../unit/unsigned.ts'
import { pickFlowEntries } from './flow-entries.ts'
import {
  countRows,
  findLatestCheckpoint,
  listExecutions,
  listExpired,
  listFlows,
  listRecords,
  listResources,
  listWorldPage,
  parseRecord,
  toFlowSummary,
} from './read.ts'
import { createReadOnlyError } from './read-only.ts'
import { createMemoryState } from './state.ts'
import { createTables, groupName, type Tables } from './tables.ts'
import { writePlan } from './write.ts'

export type MemoryStoreOptions = {
  readonly tenant: string
  readonly sha256: Sha256
  readonly clock: () => number
  /** With it the clock is watched, as that of a file's owner is. */
  readonly monotonic?: () => number
  /** What an earlier store left behind, and how often it was opened: a restart, in one process. */
  readonly kept?: { readonly tables: Tables; readonly epoch: number }
  /** Others work on the same tables. One that is gone is declared dead by who asks, for good. */
  readonly shared?: { readonly isGone: (epoch: number) => boolean }
  /** To read, it writes nothing; to own it, when nobody says. */
  readonly mode?: 'own' | 'read'
  /** Told once, when it is closed. */
  readonly closed?: () => void
}

function readKnownTime({ heads, records }: Tables): KnownTime {
  const ats = [...heads.values()].map(({ at }) => parseInstant(at) ?? 0)
  const confirmed = records.get(groupName(CONFIRMED))?.get(CONFIRMED.key)
  return {
    newest: ats.length === 0 ? null : Math.max(...ats),
    confirmed: parseConfirmed(confirmed === undefined ? null : parseRecord<'clock'>(confirmed)),
  }
}

export function createMemoryStore(options: MemoryStoreOptions): Store {
  return new MemoryStore(options)
}

class MemoryStore implements Store {
  readonly name = 'memory'
  readonly shared: boolean
  readonly exposed = false
  readonly tenant: string
  readonly epoch: number
  readonly #tables: Tables
  readonly #sha256: Sha256
  readonly time: StoreTime
  readonly #clock: () => string
  readonly #isGone: ((epoch: number) => boolean) | null
  readonly #isReadOnly: boolean
  readonly #tellClosed: () => void
  #tree: GrowingTree
  #keeper: HeadKeeper | undefined
  #closed = false

  constructor(options: MemoryStoreOptions) {
    const { tenant, sha256, kept, shared, mode = 'own', closed = () => {} } = options
    this.tenant = tenant
    this.epoch = kept?.epoch ?? 1
    this.#tables = kept?.tables ?? createTables()
    this.#sha256 = sha256
    this.time = createMachineTime(options, () => readKnownTime(this.#tables))
    this.#clock = createInstantClock(() => this.time.getNow())
    this.#tree = this.#readTree(this.#tables.tiles)
    this.shared = shared !== undefined
    this.#isGone = shared?.isGone ?? null
    this.#isReadOnly = mode === 'read'
    this.#tellClosed = closed
    if (this.shared) this.#tables.engines.set(this.epoch, 'alive')
  }

  async commit(unit: Unit): Promise<UnitOutcome> {
    const tables = this.#openToWrite()
    assertInTime(this.time, unit)
    const context = { tenant: this.tenant, sha256: this.#sha256, now: this.#clock() }
    const state = createMemoryState(tables, (epoch) => this.#isAlive(epoch))
    const planned = planUnit(unit, state, context)
    if (!planned.ok) return planned
    const grows = planned.plan.entries.length > 0
    if (grows && this.#keeper === undefined && tables.treeHead.text !== null)
      throw createUnsignedError(this.name)
    writePlan(planned.plan, tables)
    if (grows) this.#writeTree(this.#growTree())
    return toUnitOutcome(planned.plan)
  }

  /** Entries have their place when they are committed. */
  async overwriteRemains(): Promise<void> {
    this.#openToWrite()
  }

  async integrate(): Promise<void> {
    this.#open()
  }

  async listEndedEpochs(epochs: readonly number[]): Promise<readonly number[]> {
    this.#open()
    return epochs.filter((epoch) => this.#hasEnded(epoch))
  }

  async readNow(trajectory: string): ReturnType<Store['readNow']> {
    return this.#getTrajectoryTime(trajectory)
  }

  async readDecision(
    dfid: string,
    stepId: string,
    counters: Parameters<Store['readDecision']>[2],
  ): Promise<DecisionView | null> {
    const tables = this.#open()
    const flow = tables.flows.get(dfid)
    if (flow === undefined) return null
    const used = counters(flow).map((id) => [id, tables.counters.get(id) ?? 0] as const)
    return {
      ...this.#getTrajectoryTime(flow.trajectory),
      flow,
      claim: tables.executions.get(dfid)?.get(stepId) ?? null,
      counters: Object.fromEntries(used),
    }
  }

  async readFlow(dfid: string): ReturnType<Store['readFlow']> {
    return this.#open().flows.get(dfid) ?? null
  }

  async listFlows(filter: Parameters<Store['listFlows']>[0]): ReturnType<Store['listFlows']> {
    return listFlows(this.#open(), filter)
  }

  async listFlowSummaries(
    filter: Parameters<Store['listFlowSummaries']>[0],
  ): ReturnType<Store['listFlowSummaries']> {
    return listFlows(this.#open(), filter).map(toFlowSummary)
  }

  async listExpiredFlows(
    filter: Parameters<Store['listExpiredFlows']>[0],
  ): ReturnType<Store['listExpiredFlows']> {
    return listExpired(this.#open(), filter)
  }

  async listExecutions(
    filter: Parameters<Store['listExecutions']>[0],
  ): ReturnType<Store['listExecutions']> {
    return listExecutions(this.#open(), filter)
  }

  async countRows(what: Tallied): Promise<number> {
    return countRows(this.#open(), what)
  }

  async readCounter(id: string): Promise<number> {
    return this.#open().counters.get(id) ?? 0
  }

  async readRecord<K extends RecordKind>(
    record: K,
    group: string,
    key: string,
  ): Promise<StoredRecord<K> | null> {
    const row = this.#open().records.get(groupName({ record, group }))?.get(key)
    return row === undefined ? null : parseRecord<K>(row)
  }

  async listRecords<K extends RecordKind>(
    record: K,
    group: string,
    range: RecordRange,
  ): Promise<readonly StoredRecord<K>[]> {
    return listRecords(this.#open(), record, group, range)
  }

  async readWrit(id: Parameters<Store['readWrit']>[0]): ReturnType<Store['readWrit']> {
    return this.#open().writs.get(id) ?? null
  }

  async listWrits(limit: number, before?: string): ReturnType<Store['listWrits']> {
    const { writs } = this.#open()
    const names = [...writs.keys()]
    const end = before === undefined ? names.length : Math.max(0, names.indexOf(before))
    return [...writs.values()].slice(0, end).reverse().slice(0, limit)
  }

  async readResources(
    trajectory: string,
    refs: Parameters<Store['readResources']>[1],
  ): ReturnType<Store['readResources']> {
    return listResources(this.#open(), trajectory, refs)
  }

  async listWorld(
    trajectory: string,
    after: string | null,
    limit: number,
  ): ReturnType<Store['listWorld']> {
    return listWorldPage(this.#open(), trajectory, after, limit, this.#sha256)
  }

  async listHeads(): ReturnType<Store['listHeads']> {
    return [...this.#open().heads.values()].sort((a, b) => (a.trajectory < b.trajectory ? -1 : 1))
  }

  async listEntries(
    trajectory: string,
    from: number,
    limit: number,
  ): ReturnType<Store['listEntries']> {
    return (
      this.#open()
        .byTrajectory.get(trajectory)
        ?.slice(from, from + limit) ?? []
    )
  }

  async listCommits(
    trajectory: string,
    from: number,
    to: number,
  ): ReturnType<Store['listCommits']> {
    const entries = this.#open().byTrajectory.get(trajectory) ?? []
    return entries.slice(from, to).filter(({ envelope }) => envelope.kind === 'commit')
  }

  async listFlowEntries(...asked: FlowEntriesAsked): ReturnType<Store['listFlowEntries']> {
    return pickFlowEntries(this.#open().byFlow.get(asked[0]) ?? [], asked)
  }

  async listLeaves(from: number, limit: number): ReturnType<Store['listLeaves']> {
    return this.#open().entries.slice(from, from + limit)
  }

  async listLeafEnvelopes(from: number, limit: number): ReturnType<Store['listLeafEnvelopes']> {
    const page = this.#open().entries.slice(from, from + limit)
    return page.map(({ id, envelope, leaf }) => ({ id, envelope, leaf }))
  }

  async countLeaves(): Promise<number> {
    return this.#open().entries.length
  }

  async listLeafIds(from: number, limit: number): Promise<readonly Address[]> {
    return listLeafIds(this.#open().entries, from).slice(0, limit)
  }

  async listTiles(from: number, limit: number): ReturnType<Store['listTiles']> {
    return this.#open().tiles.slice(from, from + limit)
  }

  async readTree(): Promise<StoredTree> {
    return { ...this.#toHeadedTree(this.#growTree()), head: this.#open().treeHead.text }
  }

  async signHeads(keeper: HeadKeeper, from: 'kept' | 'leaves'): Promise<void> {
    const { entries, tiles } = this.#openToWrite()
    this.#keeper = keeper
    if (from === 'leaves') {
      tiles.length = 0
      this.#tree = this.#readTree([])
    }
    if (entries.length > 0) this.#writeTree(this.#growTree())
  }

  async readCheckpoint(): ReturnType<Store['readCheckpoint']> {
    return findLatestCheckpoint(this.#open())
  }

  async saveCheckpoint(checkpoint: Parameters<Store['saveCheckpoint']>[0]): Promise<void> {
    this.#openToWrite().checkpoints.push(checkpoint)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    if (this.shared) this.#tables.engines.set(this.epoch, 'ended')
    this.#closed = true
    this.#tellClosed()
  }

  #readTree(tiles: readonly Uint8Array[]): GrowingTree {
    const { entries } = this.#tables
    return GrowingTree.read(tiles, (leaf) => listLeafIds(entries, leaf), this.#sha256)
  }

  /** Others write to the same tables: what they added is taken up. */
  #growTree(): GrowingTree {
    const { entries } = this.#tables
    if (this.#tree.size < entries.length) this.#tree.add(listLeafIds(entries, this.#tree.size))
    return this.#tree
  }

  #writeTree(tree: GrowingTree): void {
    for (const { index, hash } of tree.whole) this.#tables.tiles[index] = hash
    tree.settle()
    if (this.#keeper === undefined) return
    this.#tables.treeHead.text = this.#keeper.sign(this.#toHeadedTree(tree))
    this.#keeper.keep(this.#tables.treeHead.text)
  }

  #toHeadedTree({ current }: GrowingTree): HeadedTree {
    return { ...current, authority: this.#tables.heads.get(AUTHORITY)?.seq ?? -1 }
  }

  #isAlive(epoch: number): boolean {
    return this.shared ? this.#tables.engines.get(epoch) === 'alive' : epoch === this.epoch
  }

  /** Alone, whoever was there before has ended; among others, one is declared dead once it is gone. */
  #hasEnded(epoch: number): boolean {
    if (this.#isGone === null) return epoch < this.epoch
    const { engines } = this.#tables
    const known = engines.get(epoch)
    if (known === 'alive' && epoch !== this.epoch && this.#isGone(epoch))
      engines.set(epoch, 'ended')
    // One that nobody saw and that came before us never comes: epochs only grow.
    return known === undefined ? epoch < this.epoch : engines.get(epoch) === 'ended'
  }

  #open(): Tables {
    if (this.#closed) throw createClosedError()
    return this.#tables
  }

  #openToWrite(): Tables {
    if (this.#isReadOnly) throw createReadOnlyError()
    return this.#open()
  }

  #getTrajectoryTime(trajectory: string): { readonly now: string; readonly authority_seq: number } {
    const { heads } = this.#open()
    const now = computeAuthorityTime(this.#clock(), (name) => heads.get(name), [trajectory])
    return { now, authority_seq: heads.get(AUTHORITY)?.seq ?? -1 }
  }
}

function listLeafIds(entries: Tables['entries'], leaf: number): Address[] {
  return entries.slice(leaf).map(({ id }) => id)
}
