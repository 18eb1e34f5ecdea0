/**
 * What units are judged against, read from the database through what this process knows already.
 *
 * Invariants:
 * 1. Rows are remembered between batches: only the owner writes, so they hold. A reader forgets
 *    before every read.
 * 2. Heads, counters and trie pages are written once at the end of a batch, however often they
 *    changed in it.
 * 3. `forget` follows every failed transaction: nothing that was rolled back is remembered.
 */
import {
  decodeTrieNode,
  hashResourceKey,
  isIdentifier,
  type Resource,
  type Sha256,
  type TrieNode,
} from 'rubicon-kernel'
import type { RecordKind, RecordRange, RecordRef, StoredRecord } from '../../ports/record.ts'
import type { ExecutionRow, FlowRow, StoredEntry, TrajectoryHead } from '../../ports/store.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import type { UnitState } from '../unit/unit-state.ts'
import {
  type CheckedWorld,
  checkPage,
  checkResource,
  createDamagedPageError,
  EMPTY_WORLD,
} from '../unit/world-check.ts'
import { listRecords, readCounter, readExecution, readFlow, readRecord } from './read.ts'
import { RememberedRows } from './remembered.ts'
import {
  parseBytes,
  parseEntry,
  parseHead,
  parseKnown,
  parseKnownList,
  parseNumber,
  parseResource,
} from './rows.ts'
import type { Statements } from './statements.ts'

/** How many rows of a kind a generation holds; some tens of megabytes altogether. */
const MOST = 4096

/** Lists of a kind that are remembered; the next begins anew. */
const MOST_LISTS = 16

/** Who asks, with every request; and what waits for people, with every look into the Inbox. */
const OFTEN_READ: ReadonlySet<RecordKind> = new Set([
  'session',
  'session_token',
  'person_session',
  'escalation',
])

/** The parts of a key that two strings make. Neither part holds a NUL. */
export function joinKey(first: string, second: string): string {
  return `${first}\0${second}`
}

export class SqliteState implements UnitState {
  readonly #epoch: number
  readonly heads: RememberedRows<TrajectoryHead> = new RememberedRows(MOST)
  readonly counters: RememberedRows<number> = new RememberedRows(MOST)
  /** By trajectory and prefix. */
  readonly pages: RememberedRows<PageOf> = new RememberedRows(MOST)
  readonly flows: RememberedRows<FlowRow> = new RememberedRows(MOST)
  /** By flow and step; null: there is none, as every first proposal of a step asks twice. */
  readonly executions: RememberedRows<ExecutionRow | null> = new RememberedRows(MOST)
  /** By kind, group and key; only of kinds that are asked for again and again. */
  readonly #records: RememberedRows<StoredRecord<RecordKind>> = new RememberedRows(MOST)
  /** Lists of them that were asked for, by kind. Whatever is written of a kind ends its lists. */
  #lists: Map<RecordKind, Map<string, readonly StoredRecord<RecordKind>[]>> = new Map()
  readonly #tenant: string
  readonly #sql: Statements
  readonly #sha256: Sha256
  readonly codes: RowCodes
  #leaves: number | undefined
  #locks: Map<string, Map<string, Lock>> | undefined

  constructor(tenant: string, epoch: number, sql: Statements, sha256: Sha256, codes: RowCodes) {
    this.#tenant = tenant
    this.#epoch = epoch
    this.#sql = sql
    this.#sha256 = sha256
    this.codes = codes
  }

  /** There is one owner at a time. */
  isAlive(epoch: number): boolean {
    return epoch === this.#epoch
  }

  countLeaves(): number {
    this.#leaves ??= parseNumber(this.#sql.get(LAST_LEAF, this.#tenant), 'leaves') ?? 0
    return this.#leaves
  }

  addLeaves(count: number): void {
    this.#leaves = this.countLeaves() + count
  }

  findHead(trajectory: string): TrajectoryHead | undefined {
    const known = this.heads.get(trajectory)
    if (known !== undefined) return known
    const row = this.#sql.get(HEAD, this.#tenant, trajectory)
    return row === undefined ? undefined : this.heads.keep(trajectory, parseHead(row))
  }

  getCounter(id: string): number {
    const known = this.counters.get(id)
    if (known !== undefined) return known
    return this.counters.keep(id, readCounter(id, this.#tenant, this.#sql, this.codes))
  }

  findFlow(dfid: string): FlowRow | undefined {
    const known = this.flows.get(dfid)
    if (known !== undefined) return known
    const flow = readFlow(dfid, this.#tenant, this.#sql)
    return flow === undefined ? undefined : this.flows.keep(dfid, flow)
  }

  findExecution(dfid: string, stepId: string): ExecutionRow | undefined {
    const key = joinKey(dfid, stepId)
    const known = this.executions.get(key)
    if (known !== undefined) return known ?? undefined
    const execution = readExecution(dfid, stepId, this.#tenant, this.#sql)
    this.executions.keep(key, execution ?? null)
    return execution
  }

  findFlowVersion(dfid: string): number | undefined {
    return this.findFlow(dfid)?.version
  }

  countFlowEntries(dfid: string, trajectory: string): number {
    return parseNumber(this.#sql.get(FLOW_ENTRIES, dfid, this.#tenant, trajectory), 'entries') ?? 0
  }

  findExecutionVersion(dfid: string, stepId: string): number | undefined {
    return this.findExecution(dfid, stepId)?.version
  }

  recordVersion(ref: RecordRef): number | undefined {
    if (ref.record === 'lock') return this.#loadLocks().get(ref.group)?.get(ref.key)?.version
    return this.record(ref)?.version
  }

  record<K extends RecordKind>(ref: RecordRef): StoredRecord<K> | undefined {
    if (!OFTEN_READ.has(ref.record)) return readRecord(ref, this.#tenant, this.#sql, this.codes)
    const key = recordKey(ref)
    const known = this.#records.get(key)
    if (known !== undefined) return parseKnown(known)
    const row = readRecord<K>(ref, this.#tenant, this.#sql, this.codes)
    if (row !== undefined) this.#records.keep(key, row)
    return row
  }

  findRecords<K extends RecordKind>(
    record: K,
    group: string,
    range: RecordRange,
  ): readonly StoredRecord<K>[] {
    const list = () => listRecords(record, group, range, this.#tenant, this.#sql, this.codes)
    if (!OFTEN_READ.has(record)) return list()
    const lists = this.#lists.get(record)
    const name = JSON.stringify([group, range])
    const known = lists?.get(name)
    if (known !== undefined) return parseKnownList(known)
    const rows = list()
    if (lists !== undefined && lists.size < MOST_LISTS) lists.set(name, rows)
    else this.#lists.set(record, new Map([[name, rows]]))
    return rows
  }

  /** It was written, or is gone: whoever asks next reads what the database has. */
  dropRecord(ref: RecordRef): void {
    this.#records.drop(recordKey(ref))
    this.#lists.delete(ref.record)
  }

  listLocks(resource: string): Iterable<Lock> {
    return this.#loadLocks().get(resource)?.values() ?? []
  }

  changeLock(resource: string, holder: string, lock: Lock | null): void {
    const locks = this.#loadLocks()
    const held = locks.get(resource) ?? new Map<string, Lock>()
    if (lock === null) held.delete(holder)
    else held.set(holder, lock)
    if (held.size === 0) locks.delete(resource)
    else locks.set(resource, held)
  }

  /** There are as many holds as effects on their way, and every dispatch asks: all are remembered. */
  #loadLocks(): Map<string, Map<string, Lock>> {
    if (this.#locks !== undefined) return this.#locks
    const locks = new Map<string, Map<string, Lock>>()
    for (const row of this.#sql.listRows(LOCKS, this.#tenant)) {
      const lock = this.codes.record<'lock'>(row)
      if (lock === undefined) continue
      const held = locks.get(lock.group) ?? new Map<string, Lock>()
      locks.set(lock.group, held.set(lock.key, lock))
    }
    this.#locks = locks
    return locks
  }

  findResource(trajectory: string, kind: string, id: string): Resource | undefined {
    if (!isIdentifier(kind)) return undefined
    const key = hashResourceKey(kind, id, this.#sha256)
    const row = this.#sql.get(RESOURCE, this.#tenant, trajectory, key)
    const resource = row === undefined ? undefined : parseResource(row)
    checkResource(key, resource, this.#buildCheckedWorld(trajectory), this.#sha256)
    return resource
  }

  *listResources(trajectory: string): Iterable<Resource> {
    for (const row of this.#sql.iterate(RESOURCES, this.#tenant, trajectory)) {
      yield parseResource(row)
    }
  }

  findPage(trajectory: string, prefix: string): TrieNode | undefined {
    const key = joinKey(trajectory, prefix)
    const known = this.pages.get(key)
    if (known !== undefined) return known.page
    const bytes = parseBytes(this.#sql.get(PAGE, this.#tenant, trajectory, prefix), 'page')
    if (bytes === undefined) return undefined
    const page = decodeTrieNode(bytes)
    if (page === undefined) throw createDamagedPageError(trajectory, prefix)
    checkPage(prefix, page, this.#buildCheckedWorld(trajectory), this.#sha256)
    return this.pages.keep(key, { trajectory, prefix, page }).page
  }

  #buildCheckedWorld(trajectory: string): CheckedWorld {
    const root = this.findHead(trajectory)?.world_root ?? EMPTY_WORLD
    return { trajectory, root, read: (prefix) => this.findPage(trajectory, prefix) }
  }

  findEntry(trajectory: string, seq: number): StoredEntry | undefined {
    const row = this.#sql.get(ENTRY, this.#tenant, trajectory, seq)
    return row === undefined ? undefined : parseEntry(row)
  }

  *listCommits(trajectory: string, last: number): Iterable<StoredEntry> {
    for (const row of this.#sql.iterate(COMMITS, this.#tenant, trajectory, last)) {
      yield parseEntry(row)
    }
  }

  hasCommitAfter(trajectory: string, seq: number): boolean {
    return this.#sql.get(LATER_COMMIT, this.#tenant, trajectory, seq) !== undefined
  }

  /** After a commit: what is remembered is what the database says. */
  settle(): void {
    for (const rows of [this.heads, this.counters, this.pages]) rows.settle()
  }

  forget(): void {
    const { heads, counters, pages, flows, executions } = this
    const all = [heads, counters, pages, flows, executions, this.#records]
    for (const rows of all) rows.forget()
    if (this.#lists.size > 0) this.#lists = new Map()
    this.#leaves = undefined
    this.#locks = undefined
  }
}

function recordKey({ record, group, key }: RecordRef): string {
  return joinKey(record, joinKey(group, key))
}

type Lock = StoredRecord<'lock'>

type PageOf = { readonly trajectory: string; readonly prefix: string; readonly page: TrieNode }

const LAST_LEAF = 'SELECT max(leaf) + 1 AS leaves FROM entries WHERE tenant = ?'
const FLOW_ENTRIES = `SELECT count(*) AS entries FROM entries
  WHERE dfid = ? AND tenant = ? AND trajectory = ?`
const HEAD = `SELECT trajectory, seq, id, at, world_root
  FROM trajectories WHERE tenant = ? AND trajectory = ?`
const RESOURCE = 'SELECT * FROM resources WHERE tenant = ? AND trajectory = ? AND key = ?'
const RESOURCES = 'SELECT * FROM resources WHERE tenant = ? AND trajectory = ? ORDER BY key'
const LOCKS = "SELECT * FROM records WHERE tenant = ? AND record = 'lock'"
const PAGE = 'SELECT page FROM world_nodes WHERE tenant = ? AND trajectory = ? AND prefix = ?'
const ENTRY = 'SELECT * FROM entries WHERE tenant = ? AND trajectory = ? AND seq = ?'
const COMMITS = `SELECT * FROM entries
  WHERE tenant = ? AND trajectory = ? AND seq <= ? AND kind = 'commit' ORDER BY seq`
const LATER_COMMIT = `SELECT 1 FROM entries
  WHERE tenant = ? AND trajectory = ? AND seq > ? AND kind = 'commit' LIMIT 1`
