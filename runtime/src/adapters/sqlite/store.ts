/**
 * The store in one SQLite file: the ledger, the rows of the engine and the World, for one owner at a
 * time and any number of readers.
 */
import { type Address, AUTHORITY, parseInstant, type Sha256 } from 'rubicon-kernel'
import { CONFIRMED, parseConfirmed } from '../../ports/confirmed-clock.ts'
import type { FlowEntriesAsked } from '../../ports/entry-kinds.ts'
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import {
  type DecisionView,
  type Store,
  StoreError,
  type Tallied,
  type Unit,
  type UnitOutcome,
} from '../../ports/store.ts'
import type { StoreTime } from '../../ports/store-time.ts'
import type { HeadKeeper, StoredTree } from '../../ports/tree.ts'
import { assertInTime, createMachineTime, type KnownTime } from '../unit/clock-watch.ts'
import { createClosedError } from '../unit/closed.ts'
import { planUnit, toUnitOutcome } from '../unit/plan-unit.ts'
import { RowCodes } from '../unit/row-codes.ts'
import { computeAuthorityTime, createInstantClock } from '../unit/unit-time.ts'
import { SqliteCommitQueue, UnitHalfWritten } from './commit-queue.ts'
import {
  countRows,
  listExecutions,
  listExpired,
  listFlows,
  listSummaries,
  listWrits,
} from './list.ts'
import { MIGRATIONS } from './migrations/all.ts'
import { type OpenSqlite, openOwned, openReadOnlyDatabase } from './open-database.ts'
import {
  listEntries,
  listEnvelopes,
  listFlowEntries,
  listHeads,
  listWorldFacts,
  listWorldPage,
  readCheckpoint,
  readWrit,
} from './read.ts'
import { ReaderSnapshot } from './reader-snapshot.ts'
import { finishOwed, Remains } from './remains.ts'
import { storeError } from './sqlite-error.ts'
import { SqliteState } from './state.ts'
import { Statements } from './statements.ts'
import type { SqliteStoreOptions } from './store-options.ts'
import { listIds, listTiles, SqliteTree } from './tree.ts'
import { writeCheckpoint, writePlan, writeState } from './write.ts'

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, sha256, mode } = options
  const open = mode === 'own' ? openOwned : openReadOnlyDatabase
  const store = new SqliteStore(open({ path, sha256, migrations: MIGRATIONS }), options)
  return mode === 'own' ? finishOwed(store) : store
}

class SqliteStore implements Store {
  readonly name = 'sqlite'
  readonly shared = false
  readonly exposed = true
  readonly tenant: string
  readonly epoch: number
  readonly #open: OpenSqlite
  readonly #mode: SqliteStoreOptions['mode']
  readonly #sql: Statements
  readonly #state: SqliteState
  readonly #tree: SqliteTree
  readonly #queue: SqliteCommitQueue
  readonly #remains: Remains
  readonly #sha256: Sha256
  readonly time: StoreTime
  readonly #clock: () => string
  readonly #snapshot: ReaderSnapshot
  #closed = false

  constructor(open: OpenSqlite, options: SqliteStoreOptions) {
    const { tenant, sha256, mode } = options
    this.tenant = tenant
    this.epoch = open.epoch
    this.#open = open
    this.#mode = mode
    this.#sha256 = sha256
    this.#sql = new Statements(open.database)
    const codes = new RowCodes(tenant, options)
    this.#state = new SqliteState(tenant, open.epoch, this.#sql, sha256, codes)
    // A reader dates nothing.
    const watched = mode === 'own' ? options : { clock: options.clock }
    this.time = createMachineTime(watched, () => this.#readKnownTime())
    this.#clock = createInstantClock(() => this.time.getNow())
    const getAuthoritySeq = (): number => this.#state.findHead(AUTHORITY)?.seq ?? -1
    this.#tree = new SqliteTree({
      tenant,
      path: open.path,
      sql: this.#sql,
      sha256,
      mode,
      authority: getAuthoritySeq,
    })
    this.#queue = new SqliteCommitQueue(open.database, open.path, {
      apply: (unit) => this.#apply(unit),
      finish: () => {
        writeState(tenant, this.#sql, this.#state)
        this.#tree.writeGrown()
      },
      settled: () => {
        this.#state.settle()
        this.#tree.settle()
      },
      forget: () => {
        this.#state.forget()
        this.#tree.forget()
      },
    })
    this.#remains = new Remains(open, this.#queue, options.readersMs)
    this.#snapshot = new ReaderSnapshot(this.#sql, () => this.#state.forget())
  }

  async commit(unit: Unit): Promise<UnitOutcome> {
    this.#assertOwned()
    assertInTime(this.time, unit)
    return this.#queue.push(unit)
  }

  async overwriteRemains(): Promise<void> {
    this.#assertOwned()
    await this.#remains.overwrite()
  }

  /** Entries have their place when they are committed. */
  async integrate(): Promise<void> {
    if (this.#closed) throw createClosedError()
  }

  /** Owners follow one another. A reader (epoch 0) knows of none whether it still runs. */
  async listEndedEpochs(epochs: readonly number[]): Promise<readonly number[]> {
    return this.#read(() => epochs.filter((epoch) => epoch < this.epoch))
  }

  async readNow(trajectory: string): ReturnType<Store['readNow']> {
    return this.#read(() => this.#getTrajectoryTime(trajectory))
  }

  async readDecision(
    dfid: string,
    stepId: string,
    counters: Parameters<Store['readDecision']>[2],
  ): Promise<DecisionView | null> {
    return this.#read(() => {
      const flow = this.#state.findFlow(dfid)
      if (flow === undefined) return null
      const used = counters(flow).map((id) => [id, this.#state.getCounter(id)] as const)
      const claim = this.#state.findExecution(dfid, stepId) ?? null
      return {
        ...this.#getTrajectoryTime(flow.trajectory),
        flow,
        claim,
        counters: Object.fromEntries(used),
      }
    })
  }

  async readFlow(dfid: string): ReturnType<Store['readFlow']> {
    return this.#read(() => this.#state.findFlow(dfid) ?? null)
  }

  async listFlows(filter: Parameters<Store['listFlows']>[0]): ReturnType<Store['listFlows']> {
    return this.#read((sql) => listFlows(filter, this.tenant, sql))
  }

  async listFlowSummaries(
    filter: Parameters<Store['listFlowSummaries']>[0],
  ): ReturnType<Store['listFlowSummaries']> {
    return this.#read((sql) => listSummaries(filter, this.tenant, sql))
  }

  async listExpiredFlows(
    filter: Parameters<Store['listExpiredFlows']>[0],
  ): ReturnType<Store['listExpiredFlows']> {
    return this.#read((sql) => listExpired(filter, this.tenant, sql))
  }

  async listExecutions(
    filter: Parameters<Store['listExecutions']>[0],
  ): ReturnType<Store['listExecutions']> {
    return this.#read((sql) => listExecutions(filter, this.tenant, sql))
  }

  async countRows(what: Tallied): Promise<number> {
    return this.#read((sql) => countRows(what, this.tenant, sql))
  }

  async readCounter(id: string): Promise<number> {
    return this.#read(() => this.#state.getCounter(id))
  }

  async readRecord<K extends RecordKind>(
    record: K,
    group: string,
    key: string,
  ): Promise<StoredRecord<K> | null> {
    return this.#read(() => this.#state.record<K>({ record, group, key }) ?? null)
  }

  async listRecords<K extends RecordKind>(
    record: K,
    group: string,
    range: RecordRange,
  ): Promise<readonly StoredRecord<K>[]> {
    return this.#read(() => this.#state.findRecords(record, group, range))
  }

  async readWrit(id: Parameters<Store['readWrit']>[0]): ReturnType<Store['readWrit']> {
    return this.#read((sql) => readWrit(id, this.tenant, sql))
  }

  async listWrits(limit: number, before?: string): ReturnType<Store['listWrits']> {
    return this.#read((sql) => listWrits(limit, before, this.tenant, sql))
  }

  async readResources(
    trajectory: string,
    refs: Parameters<Store['readResources']>[1],
  ): ReturnType<Store['readResources']> {
    return this.#read(() => listWorldFacts(trajectory, refs, this.#state))
  }

  async listWorld(
    trajectory: string,
    after: string | null,
    limit: number,
  ): ReturnType<Store['listWorld']> {
    return this.#read((sql) => listWorldPage(trajectory, after, limit, this.tenant, sql))
  }

  async listHeads(): ReturnType<Store['listHeads']> {
    return this.#read((sql) => listHeads(this.tenant, sql))
  }

  async listEntries(
    trajectory: string,
    from: number,
    limit: number,
  ): ReturnType<Store['listEntries']> {
    return this.#read((sql) => {
      return listEntries('trajectory', [trajectory, from, limit], this.tenant, sql)
    })
  }

  async listCommits(
    trajectory: string,
    from: number,
    to: number,
  ): ReturnType<Store['listCommits']> {
    return this.#read((sql) => listEntries('commits', [trajectory, from, to], this.tenant, sql))
  }

  async listFlowEntries(
    ...[dfid, kinds, last, before]: FlowEntriesAsked
  ): ReturnType<Store['listFlowEntries']> {
    return this.#read((sql) => listFlowEntries(dfid, { kinds, last, before }, this.tenant, sql))
  }

  async listLeaves(from: number, limit: number): ReturnType<Store['listLeaves']> {
    return this.#read((sql) => listEntries('leaf', [from, limit], this.tenant, sql))
  }

  async listLeafEnvelopes(from: number, limit: number): ReturnType<Store['listLeafEnvelopes']> {
    return this.#read((sql) => listEnvelopes(from, limit, this.tenant, sql))
  }

  async countLeaves(): Promise<number> {
    return this.#read(() => this.#state.countLeaves())
  }

  async listLeafIds(from: number, limit: number): Promise<readonly Address[]> {
    return this.#read((sql) => listIds(from, limit, this.tenant, sql))
  }

  async listTiles(from: number, limit: number): ReturnType<Store['listTiles']> {
    return this.#read((sql) => listTiles(from, limit, this.tenant, sql))
  }

  async readTree(): Promise<StoredTree> {
    return this.#read(() => this.#tree.read())
  }

  async signHeads(keeper: HeadKeeper, from: 'kept' | 'leaves'): Promise<void> {
    this.#assertOwned()
    this.#tree.keepBy(keeper, from)
    if (!this.#tree.isEmpty) this.#queue.runAlone(() => this.#tree.write())
    this.#tree.settle()
  }

  async readCheckpoint(): ReturnType<Store['readCheckpoint']> {
    return this.#read((sql) => readCheckpoint(this.tenant, sql))
  }

  async saveCheckpoint(checkpoint: Parameters<Store['saveCheckpoint']>[0]): Promise<void> {
    this.#assertOwned()
    this.#queue.runAlone(() => writeCheckpoint(checkpoint, this.tenant, this.#sql))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#remains.stop()
    this.#queue.close()
    this.#open.close()
    this.#remains.closeFile()
  }

  #apply(unit: Unit): UnitOutcome {
    const context = { tenant: this.tenant, sha256: this.#sha256, now: this.#clock() }
    const planned = planUnit(unit, this.#state, context)
    if (!planned.ok) return planned
    const [first] = planned.plan.entries
    if (first !== undefined) this.#tree.assertNext(first.leaf)
    try {
      writePlan(planned.plan, this.tenant, this.#sql, this.#state, this.#sha256)
      this.#tree.add(planned.plan.entries.map(({ id }) => id))
    } catch (error) {
      throw new UnitHalfWritten(error)
    }
    return toUnitOutcome(planned.plan)
  }

  /** From one moment: the owner's batches never interleave, and a reader holds a snapshot. */
  #read<T>(read: (sql: Statements) => T): T {
    if (this.#closed) throw createClosedError()
    try {
      if (this.#mode === 'read') this.#snapshot.begin()
      return read(this.#sql)
    } catch (error) {
      throw storeError(error, this.#open.path)
    }
  }

  #assertOwned(): void {
    if (this.#closed) throw createClosedError()
    if (this.#mode === 'own') return
    throw new StoreError(
      'STORE_READ_ONLY',
      `store \`${this.#open.path}\` was opened for reading`,
      'open it as its owner to write',
    )
  }

  #readKnownTime(): KnownTime {
    const text = 'SELECT max(at) AS at FROM trajectories WHERE tenant = ?'
    const newest = parseInstant(String(this.#sql.get(text, this.tenant)?.at ?? '')) ?? null
    return { newest, confirmed: parseConfirmed(this.#state.record<'clock'>(CONFIRMED)) }
  }

  #getTrajectoryTime(trajectory: string): { readonly now: string; readonly authority_seq: number } {
    const findHead = (name: string) => this.#state.findHead(name)
    const now = computeAuthorityTime(this.#clock(), findHead, [trajectory])
    return { now, authority_seq: findHead(AUTHORITY)?.seq ?? -1 }
  }
}
