/**
 * The search index of a tenant: derived from the ledger, beside the store, read by lists and by the overview and by
 * nothing that decides.
 *
 * I1 it holds nothing that cannot be made again: where it does not fit the ledger it is thrown away.
 * I2 it follows the ledger leaf by leaf, a page in one transaction; `indexed` says how far it has come.
 * I3 one page at a time, and an erasure waits for it: no word of an erased flow comes back.
 * I4 what cannot be read or written stops the index where it is: `problem` says so, and what it holds is still answered.
 */
import type { DatabaseSync } from 'node:sqlite'
import { readLeafPage } from 'rubicon-runtime/engine/ledger'
import type { Clock, LeafEntry, Store } from 'rubicon-runtime/ports'
import { foldEntry, type KnownKind, listKnownKinds } from './fold-entry.ts'
import { forgetFlowRows } from './forget-flow.ts'
import { type IndexBatch, IndexWriter } from './index-writer.ts'
import {
  createIndexDatabase,
  type IndexPath,
  isUnreadable,
  openIndexDatabase,
} from './open-index.ts'
import { readTouched } from './read-touched.ts'

export type IndexParts = {
  readonly store: Pick<
    Store,
    | 'tenant'
    | 'countLeaves'
    | 'listLeaves'
    | 'listLeafIds'
    | 'readFlow'
    | 'listExecutions'
    | 'readRecord'
  >
  readonly clock: Pick<Clock, 'monotonic'>
  readonly path: IndexPath
  /** The thread has nothing to do but lookups. */
  readonly isAlone: boolean
  /** Lets everybody else go first, between pages. */
  readonly pause: () => Promise<unknown>
}

/** How many leaves are in the index, of how many. */
export type Indexed = {
  readonly leaf: number
  readonly size: number
  /** Why it goes no further, or is not kept; null: nothing is wrong. Agents read it: it names no path. */
  readonly problem: string | null
}

/** Entries that are read together, and how long a question waits for those that are missing. */
const PAGE = 256
const WAIT_MS = 60
/** So many missing entries are taken in before a list is answered that can be answered without them. */
const FEW_LEAVES = 64
/** After a page, for lists that can be answered without: many of them at once take in one page, not one each. */
const REST_MS = 100
/** After a failure nobody waits for another attempt before this time has passed. */
const RETRY_MS = 5_000

export class SearchIndex {
  readonly #parts: IndexParts
  #database: DatabaseSync
  #writer: IndexWriter
  #kinds = new Map<string, KnownKind>()
  #leaf = 0
  #isChecked = false
  #page: Promise<void> | null = null
  #background: Promise<void> | null = null
  #waiting: NodeJS.Timeout | null = null
  #tookAt = Number.NEGATIVE_INFINITY
  /** Of the file: it could not be opened, and the index is in memory. */
  #fileProblem: string | null
  /** Of the last attempt to go on. */
  #failure: { readonly problem: string; readonly at: number } | null = null

  constructor(parts: IndexParts) {
    this.#parts = parts
    const { database, problem } = openIndexDatabase(parts.path, parts.store.tenant)
    this.#database = database
    this.#fileProblem = problem
    this.#writer = new IndexWriter(this.#database)
    this.#readPlace()
  }

  get database(): DatabaseSync {
    return this.#database
  }

  /**
   * Takes in what is missing, for a short time; the rest is taken in meanwhile. It never throws: whoever asks is told
   * how far the index has come.
   */
  catchUp(): Promise<Indexed> {
    return this.#look((size) => this.#takeUpTo(size))
  }

  /** For what can be answered without: nobody waits for more than a few entries, or for those of the last moment. */
  catchUpBeside(): Promise<Indexed> {
    return this.#look(async (size) => {
      const since = this.#parts.clock.monotonic() - this.#tookAt
      if (size - this.#leaf > FEW_LEAVES) this.start()
      else if (since >= REST_MS) await this.#takeUpTo(size)
      else this.#scheduleStart(REST_MS - since)
    })
  }

  /** Goes on until everything is in it. Whatever stops that is met again by whoever asks. */
  start(): void {
    this.#background ??= this.#takeAll()
      .catch(() => {})
      .finally(() => {
        this.#background = null
      })
  }

  async #look(follow: (size: number) => Promise<void>): Promise<Indexed> {
    const { store, clock } = this.#parts
    let size = this.#leaf
    try {
      size = await store.countLeaves()
      if (!this.#hasJustFailed()) {
        await this.#check(size)
        if (this.#leaf < size) await follow(size)
      }
    } catch {
      this.#failure ??= { problem: 'the ledger cannot be read', at: clock.monotonic() }
    }
    const problem = this.#failure?.problem ?? this.#fileProblem
    return { leaf: this.#leaf, size: Math.max(size, this.#leaf), problem }
  }

  async #takeUpTo(size: number): Promise<void> {
    const { clock } = this.#parts
    const end = clock.monotonic() + WAIT_MS
    while (this.#leaf < size && clock.monotonic() < end) await this.#takePage()
    if (this.#leaf < size) this.start()
  }

  #scheduleStart(ms: number): void {
    this.#waiting ??= setTimeout(() => {
      this.#waiting = null
      this.start()
    }, ms).unref()
  }

  /** The words of a flow that was erased leave the index and its files. Where they cannot be taken out, the file goes. */
  async forgetFlow(dfid: string): Promise<void> {
    while (this.#page !== null) await this.#page.catch(() => {})
    try {
      this.#database.exec('BEGIN')
      const hasForgotten = forgetFlowRows(this.#database, dfid)
      this.#database.exec('COMMIT')
      if (hasForgotten) this.#overwriteRemains()
    } catch (error) {
      this.#beginAgain()
      // A file that cannot be deleted still has them.
      if (this.#fileProblem !== null) throw error
    }
  }

  /** Runs what reads; a file that turns out to be damaged is begun again, and whoever asked finds an index that has just begun. */
  read<Found>(question: (database: DatabaseSync) => Found): Found {
    try {
      return question(this.#database)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#beginAgain()
      return question(this.#database)
    }
  }

  close(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting)
    this.#database.close()
  }

  async #takeAll(): Promise<void> {
    await this.#check(await this.#parts.store.countLeaves())
    while (this.#leaf < (await this.#parts.store.countLeaves())) {
      await this.#takePage()
      await this.#parts.pause()
    }
  }

  #hasJustFailed(): boolean {
    return this.#failure !== null && this.#parts.clock.monotonic() < this.#failure.at + RETRY_MS
  }

  /** Whoever comes while one is taken waits for that one. */
  #takePage(): Promise<void> {
    this.#page ??= this.#advance().finally(() => {
      this.#page = null
    })
    return this.#page
  }

  async #advance(): Promise<void> {
    const batch = await this.#tryStep(`leaf ${this.#leaf} cannot be read`, () => this.#readBatch())
    if (batch === null) return
    await this.#tryStep('the index cannot be written', async () => this.#writeBatch(batch))
    this.#tookAt = this.#parts.clock.monotonic()
    this.#failure = null
  }

  async #tryStep<Done>(problem: string, step: () => Promise<Done>): Promise<Done> {
    try {
      return await step()
    } catch (error) {
      this.#failure = { problem, at: this.#parts.clock.monotonic() }
      throw error
    }
  }

  /** A page that has a damaged entry in it is taken one by one, up to that entry. */
  async #readBatch(): Promise<IndexBatch | null> {
    const { store } = this.#parts
    const entries = await readLeafPage(store, this.#leaf, PAGE).catch(() =>
      readLeafPage(store, this.#leaf, 1),
    )
    return this.#foldEntries(entries).catch(() => this.#foldEntries(entries.slice(0, 1)))
  }

  async #foldEntries(entries: readonly LeafEntry[]): Promise<IndexBatch | null> {
    const last = entries.at(-1)
    if (last === undefined) return null
    const kinds = new Map<string, KnownKind>()
    const changes = entries.map((entry) => {
      for (const [name, known] of listKnownKinds(entry)) {
        kinds.set(name, known)
        this.#kinds.set(name, known)
      }
      return foldEntry(entry, this.#kinds)
    })
    const touched = await readTouched(this.#parts.store, changes, (dfid) => this.#listWaiting(dfid))
    return { changes, touched, kinds, leaf: last.leaf + 1, last: last.id }
  }

  #writeBatch(batch: IndexBatch): void {
    try {
      const hasForgotten = this.#writer.write(batch)
      this.#leaf = batch.leaf
      if (hasForgotten) this.#overwriteRemains()
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#beginAgain()
    }
  }

  #listWaiting(dfid: string): readonly string[] {
    const sql = "SELECT id FROM escalation WHERE dfid = ? AND state <> 'closed'"
    return this.#database
      .prepare(sql)
      .all(dfid)
      .map(({ id }) => String(id))
  }

  /** A ledger that has another entry where the index ends, or none, is another ledger: somebody restored one. */
  async #check(size: number): Promise<void> {
    const { store } = this.#parts
    if (this.#isChecked && this.#leaf <= size) return
    this.#isChecked = true
    if (this.#leaf === 0) return
    const [id] = this.#leaf > size ? [] : await store.listLeafIds(this.#leaf - 1, 1)
    if (id !== this.#database.prepare('SELECT last FROM place').get()?.last) this.#beginAgain()
  }

  #beginAgain(): void {
    const { path, store } = this.#parts
    this.#database.close()
    const { database, problem } = createIndexDatabase(path, store.tenant)
    this.#database = database
    this.#fileProblem = problem
    this.#writer = new IndexWriter(this.#database)
    this.#kinds = new Map()
    this.#readPlace()
  }

  #readPlace(): void {
    this.#leaf = Number(this.#database.prepare('SELECT leaf FROM place').get()?.leaf ?? 0)
    for (const { name, known } of this.#database.prepare('SELECT name, known FROM kind').all())
      this.#kinds.set(String(name), parseKnownKind(String(known)))
  }

  /**
   * `secure_delete` overwrites what is deleted, and not what was left where a page was laid out anew (0124): the file is
   * written anew as a whole, and its log emptied. Where a decision would wait for that, it is begun again in its place.
   */
  #overwriteRemains(): void {
    const { path, isAlone } = this.#parts
    if (path === null) return
    if (isAlone) this.#database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    else this.#beginAgain()
  }
}

/** As `IndexWriter` wrote it. */
function parseKnownKind(text: string): KnownKind {
  return JSON.parse(text) as KnownKind
}
