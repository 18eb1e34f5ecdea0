/**
 * The store in a Postgres database: the ledger, the rows of the engine and the World, for any number
 * of processes at the same time.
 */
import type { Address } from 'rubicon-kernel'
import type { FlowEntriesAsked } from '../../ports/entry-kinds.ts'
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type {
  DecisionView,
  ExpiredFilter,
  FlowFilter,
  Store,
  Tallied,
  Unit,
  UnitOutcome,
} from '../../ports/store.ts'
import type { HeadKeeper, StoredTree } from '../../ports/tree.ts'
import { createClosedError } from '../unit/closed.ts'
import { RowCodes } from '../unit/row-codes.ts'
import { PostgresCommitQueue } from './commit-queue.ts'
import { Decisions } from './decisions.ts'
import { findEndedEpochs, GRACE_MS } from './engines.ts'
import { countRows, listExecutions, listExpired, listFlows, listSummaries } from './list.ts'
import { MIGRATIONS } from './migrations/all.ts'
import { type OpenPostgres, openOwned, openReadOnlyDatabase } from './open-database.ts'
import { createReadOnlyError } from './postgres-error.ts'
import {
  listCommits,
  listEntries,
  listFlowEntries,
  listHeads,
  listLeafEnvelopes,
  listLeaves,
  listRecords,
  listWorldPage,
} from './read.ts'
import { parseCheckpoint, parseFlow, parseNumber, parseWrit } from './rows.ts'
import { assignAllPlaces, Sequencer } from './sequencer.ts'
import { ServerTime } from './server-time.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'
import { SharedReads } from './shared-reads.ts'
import { CHECKPOINT, FLOW, LEAF_COUNT, OLDER_WRITS, RECORD, WRIT, WRITS } from './single-reads.ts'
import type { PostgresStoreOptions } from './store-options.ts'
import type { End } from './trajectory-ends.ts'
import { PostgresTree } from './tree.ts'
import { listIds, listTiles } from './tree-rows.ts'
import { listWorldFacts } from './world-facts.ts'
import { writeCheckpoint } from './write.ts'

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const open = options.mode === 'own' ? openOwned : openReadOnlyDatabase
  const database = await open({ ...options, migrations: MIGRATIONS })
  return new PostgresStore(database, options)
}

class PostgresStore implements Store {
  readonly name = 'postgres'
  readonly tenant: string
  readonly shared = true
  readonly exposed = true
  readonly epoch: number
  readonly #open: OpenPostgres
  readonly #options: PostgresStoreOptions
  readonly time: ServerTime
  readonly #decisions: Decisions
  readonly #shared: SharedReads
  readonly #sequencer: Sequencer
  readonly #tree: PostgresTree
  readonly #queue: PostgresCommitQueue | null
  readonly #codes: RowCodes
  #closing: Promise<void> | undefined

  constructor(open: OpenPostgres, options: PostgresStoreOptions) {
    const { tenant, sha256, clock, address } = options
    this.tenant = tenant
    this.#open = open
    this.#options = options
    this.time = new ServerTime(clock, options.clockIsServers ?? false)
    this.#codes = new RowCodes(tenant, options)
    this.#decisions = new Decisions(open.readers, tenant, this.time, this.#codes)
    this.#shared = new SharedReads(open.readers, tenant, this.time, this.#codes)
    this.#tree = new PostgresTree(tenant, sha256)
    this.#sequencer = new Sequencer(open.readers, tenant, this.#tree)
    const { working } = open
    this.epoch = working?.place.epoch ?? 0
    const context = { tenant, sha256, time: this.time, codes: this.#codes, tree: this.#tree }
    this.#queue =
      working === null
        ? null
        : new PostgresCommitQueue(working.writer, { ...context, place: working.place }, address)
  }

  async commit(unit: Unit): Promise<UnitOutcome> {
    const outcome = await this.#getQueue().push(unit)
    if (outcome.ok && outcome.entries.length > 0) this.#sequencer.scheduleIntegration()
    return outcome
  }

  /** Its files are the server's. */
  async overwriteRemains(): Promise<void> {
    this.#getQueue()
  }

  async integrate(): Promise<void> {
    this.#getQueue()
    await this.#sequencer.integrate()
  }

  async listEndedEpochs(epochs: readonly number[]): Promise<readonly number[]> {
    this.#assertOpen()
    const { sha256, mode, graceMs = GRACE_MS } = this.#options
    const options = { tenant: this.tenant, sha256, graceMs: mode === 'own' ? graceMs : null }
    return findEndedEpochs(epochs, this.epoch, this.#open.readers, options)
  }

  async readNow(trajectory: string): ReturnType<Store['readNow']> {
    this.#assertOpen()
    return this.#shared.readNow(trajectory)
  }

  async readDecision(
    dfid: string,
    stepId: string,
    counters: Parameters<Store['readDecision']>[2],
  ): Promise<DecisionView | null> {
    this.#assertOpen()
    return this.#decisions.read({ dfid, stepId, counters })
  }

  async readFlow(dfid: string): ReturnType<Store['readFlow']> {
    const [row] = await this.#run(FLOW, dfid)
    return row === undefined ? null : parseFlow(row)
  }

  async listFlows(filter: FlowFilter): ReturnType<Store['listFlows']> {
    return this.#read((session) => listFlows(filter, this.tenant, session))
  }

  async listFlowSummaries(filter: FlowFilter): ReturnType<Store['listFlowSummaries']> {
    return this.#read((session) => listSummaries(filter, this.tenant, session))
  }

  async listExpiredFlows(filter: ExpiredFilter): ReturnType<Store['listExpiredFlows']> {
    return this.#read((session) => listExpired(filter, this.tenant, session))
  }

  async listExecutions(
    filter: Parameters<Store['listExecutions']>[0],
  ): ReturnType<Store['listExecutions']> {
    return this.#read((session) => listExecutions(filter, this.tenant, session))
  }

  async countRows(what: Tallied): Promise<number> {
    return this.#read((session) => countRows(what, this.tenant, session))
  }

  async readCounter(id: string): Promise<number> {
    this.#assertOpen()
    return this.#shared.readCounter(id)
  }

  async readRecord<K extends RecordKind>(
    record: K,
    group: string,
    key: string,
  ): Promise<StoredRecord<K> | null> {
    const [row] = await this.#run(RECORD, record, group, key)
    return row === undefined ? null : (this.#codes.record<K>(row) ?? null)
  }

  async listRecords<K extends RecordKind>(
    record: K,
    group: string,
    range: RecordRange,
  ): Promise<readonly StoredRecord<K>[]> {
    return this.#read((session) =>
      listRecords(record, group, range, this.tenant, session, this.#codes),
    )
  }

  async readWrit(id: Parameters<Store['readWrit']>[0]): ReturnType<Store['readWrit']> {
    const [row] = await this.#run(WRIT, id)
    return row === undefined ? null : parseWrit(row)
  }

  async listWrits(limit: number, before?: string): ReturnType<Store['listWrits']> {
    const rows =
      before === undefined ? this.#run(WRITS, limit) : this.#run(OLDER_WRITS, limit, before)
    return (await rows).map(parseWrit)
  }

  async readResources(
    trajectory: string,
    refs: Parameters<Store['readResources']>[1],
  ): ReturnType<Store['readResources']> {
    const { sha256 } = this.#options
    return this.#read((session) => listWorldFacts(trajectory, refs, this.tenant, session, sha256))
  }

  async listWorld(
    trajectory: string,
    after: string | null,
    limit: number,
  ): ReturnType<Store['listWorld']> {
    return this.#read((session) => listWorldPage(trajectory, after, limit, this.tenant, session))
  }

  async listHeads(): ReturnType<Store['listHeads']> {
    return this.#read((session) => listHeads(this.tenant, session))
  }

  async listEntries(
    trajectory: string,
    from: number,
    limit: number,
  ): ReturnType<Store['listEntries']> {
    return this.#read((session) => listEntries(trajectory, from, limit, this.tenant, session))
  }

  async listCommits(
    trajectory: string,
    from: number,
    to: number,
  ): ReturnType<Store['listCommits']> {
    return this.#read((session) => listCommits(trajectory, from, to, this.tenant, session))
  }

  async listFlowEntries(
    ...[dfid, kinds, last, before]: FlowEntriesAsked
  ): ReturnType<Store['listFlowEntries']> {
    const part = { kinds, last, before }
    return this.#read((session) => listFlowEntries(dfid, part, this.tenant, session))
  }

  async listLeaves(from: number, limit: number): ReturnType<Store['listLeaves']> {
    return this.#read((session) => listLeaves(from, limit, this.tenant, session))
  }

  async listLeafEnvelopes(from: number, limit: number): ReturnType<Store['listLeafEnvelopes']> {
    return this.#read((session) => listLeafEnvelopes(from, limit, this.tenant, session))
  }

  async countLeaves(): Promise<number> {
    return parseNumber((await this.#run(LEAF_COUNT))[0], 'leaves') ?? 0
  }

  async listLeafIds(from: number, limit: number): Promise<readonly Address[]> {
    return this.#read((session) => listIds(from, limit, this.tenant, session))
  }

  async listTiles(from: number, limit: number): ReturnType<Store['listTiles']> {
    return this.#read((session) => listTiles(from, limit, this.tenant, session))
  }

  async readTree(): Promise<StoredTree> {
    this.#assertOpen()
    return this.#tree.readTree(this.#open.readers)
  }

  async signHeads(keeper: HeadKeeper, from: 'kept' | 'leaves'): Promise<void> {
    this.#getQueue()
    const tree = this.#tree
    await tree.keepBy(keeper, from, this.#open.readers, (session) => assignAllPlaces(session, tree))
  }

  async lastPlaced(trajectory: string): Promise<End | null> {
    await this.integrate()
    return this.#tree.readEnd(trajectory, this.#open.readers)
  }

  async readCheckpoint(): ReturnType<Store['readCheckpoint']> {
    const [row] = await this.#run(CHECKPOINT)
    return row === undefined ? null : parseCheckpoint(row)
  }

  async saveCheckpoint(checkpoint: Parameters<Store['saveCheckpoint']>[0]): Promise<void> {
    this.#getQueue()
    await this.#open.readers.runOnce((session) => writeCheckpoint(checkpoint, this.tenant, session))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { readers, working } = this.#open
    await this.#queue?.close()
    this.#sequencer.stop()
    await working?.place.release()
    await working?.writer.end()
    await readers.end()
  }

  async #run(statement: NamedStatement, ...parameters: readonly (string | number)[]) {
    return this.#read((session) => session.run(statement, this.tenant, ...parameters))
  }

  async #read<T>(read: (session: DatabaseSession) => Promise<T>): Promise<T> {
    this.#assertOpen()
    return this.#open.readers.read(read)
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw createClosedError()
  }

  #getQueue(): PostgresCommitQueue {
    this.#assertOpen()
    if (this.#queue !== null) return this.#queue
    throw createReadOnlyError(this.#options.address)
  }
}
