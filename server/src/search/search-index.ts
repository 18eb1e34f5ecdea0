/**
 * The search index of a tenant: derived from the ledger, beside the store, read by lists and by the overview and by
 * nothing that decides.
 *
 * I1 it holds nothing that cannot be made again: where it does not fit the ledger it is thrown away.
 * I2 it follows the ledger leaf by leaf, a page in one transaction; `indexed` says how far it has come.
 * I3 one page at a time, and an erasure waits for it: no word of an erased flow comes back.
 * I4 what was read for an index that was begun again since is not written into the new one: it would begin in the middle.
 * I5 what cannot be read or written stops the index where it is: `problem` says so, and what it holds is still answered.
 */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock, Store } from 'rubicon-runtime/ports'
import { forgetFlowRows } from './forget-flow.ts'
import { IndexRemains } from './index-remains.ts'
import { type IndexBatch, IndexWriter } from './index-writer.ts'
import type { Indexed } from './indexed.ts'
import {
  createIndexDatabase,
  type IndexPath,
  isUnreadable,
  type OpenedIndex,
  openIndexDatabase,
} from './open-index.ts'
import { type BatchStore, readIndexBatch } from './read-batch.ts'
import { type IndexPlace, readIndexPlace } from './read-place.ts'

export type IndexParts = {
  readonly store: BatchStore & Pick<Store, 'listLeafIds'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly path: IndexPath
  /** Lets everybody else go first, between pages. */
  readonly pause: () => Promise<unknown>
}

/** How long a question waits for entries that are missing. */
const WAIT_MS = 60
/** So many missing entries are taken in before a list is answered that can be answered without them. */
const FEW_LEAVES = 64
/** After a page, for lists that can be answered without: many of them at once take in one page, not one each. */
const REST_MS = 100
/** After a failure nobody waits for another attempt before this time has passed. */
const RETRY_MS = 5_000

export class SearchIndex {
  readonly #parts: IndexParts
  #opened: OpenedIndex
  #writer: IndexWriter
  #remains: IndexRemains
  #place: IndexPlace
  /** That it fits the ledger; null: nobody has looked. */
  #checked: Promise<void> | null = null
  #page: Promise<void> | null = null
  #background: Promise<void> | null = null
  #waiting: NodeJS.Timeout | null = null
  #tookAt = Number.NEGATIVE_INFINITY
  /** Of the last attempt to go on. */
  #failure: { readonly problem: string; readonly at: number } | null = null

  constructor(parts: IndexParts) {
    this.#parts = parts
    this.#opened = openIndexDatabase(parts.path, parts.store.tenant)
    this.#writer = new IndexWriter(this.#opened.database)
    this.#remains = new IndexRemains(this.#opened)
    this.#place = readIndexPlace(this.#opened.database)
  }

  get database(): DatabaseSync {
    return this.#opened.database
  }

  /**
   * Takes in what is missing, for a short time; the rest is taken in meanwhile. It never throws: whoever asks is told
   * how far the index has come. `beside`: what is asked can be answered without it, and waits for no more than a few entries.
   */
  async catchUp(asked: 'searched' | 'beside' = 'searched'): Promise<Indexed> {
    const { store, clock } = this.#parts
    let size = this.#place.leaf
    try {
      size = await store.countLeaves()
      if (!this.#hasJustFailed()) {
        await this.#check(size)
        await this.#follow(size, asked)
      }
    } catch {
      this.#failure ??= { problem: 'the ledger cannot be read', at: clock.monotonic() }
    }
    const problem = this.#failure?.problem ?? this.#opened.problem
    return { leaf: this.#place.leaf, size: Math.max(size, this.#place.leaf), problem }
  }

  /** Goes on until everything is in it. Whatever stops that is met again by whoever asks. */
  start(): void {
    this.#background ??= this.#takeAll()
      .catch(() => {})
      .finally(() => {
        this.#background = null
      })
  }

  /** For a search, requests of flows that have ended are read again, too. */
  async #follow(size: number, asked: 'searched' | 'beside'): Promise<void> {
    const missing = size - this.#place.leaf
    const isSearched = asked === 'searched'
    if (missing <= 0 && !(isSearched && this.#writer.hasAskedOfEnded())) return
    const rest = this.#tookAt + REST_MS - this.#parts.clock.monotonic()
    if (isSearched || (missing <= FEW_LEAVES && rest <= 0)) await this.#takeUpTo(size)
    else this.#scheduleStart(Math.max(0, rest))
  }

  async #takeUpTo(size: number): Promise<void> {
    const end = this.#parts.clock.monotonic() + WAIT_MS
    do await this.#takePage()
    while (this.#place.leaf < size && this.#parts.clock.monotonic() < end)
    if (this.#place.leaf < size) this.start()
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
    const { database } = this
    try {
      database.exec('BEGIN')
      forgetFlowRows(database, dfid)
      database.exec('COMMIT')
      // Also where it was forgotten before: its pieces may be left.
      await this.#remains.overwrite(this.#parts.pause)
    } catch {
      // One that was begun again meanwhile has never met the flow.
      if (this.database === database) this.#beginAgain()
    }
    this.#assertGone()
  }

  /** Runs what reads; a file that turns out to be damaged is begun again, and whoever asked finds an index that has just begun. */
  read<Found>(question: (database: DatabaseSync) => Found): Found {
    try {
      return question(this.database)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#beginAgain()
      return question(this.database)
    }
  }

  close(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting)
    this.#waiting = null
    this.database.close()
    this.#remains.closeFile()
  }

  async #takeAll(): Promise<void> {
    await this.#check(await this.#parts.store.countLeaves())
    while (this.#place.leaf < (await this.#parts.store.countLeaves())) {
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
    const writer = this.#writer
    const batch = await this.#tryStep(`leaf ${this.#place.leaf} cannot be read`, () =>
      readIndexBatch(this.#parts.store, this.#place, writer),
    )
    if (batch === null || writer !== this.#writer) return
    await this.#tryStep('the index cannot be written', async () => this.#writeBatch(batch))
    this.#tookAt = this.#parts.clock.monotonic()
    await this.#overwriteRemains()
    this.#failure = null
  }

  /** A file that cannot be overwritten goes; in one that was begun again meanwhile nothing is left. */
  async #overwriteRemains(): Promise<void> {
    const { database } = this
    await this.#tryStep('what was erased is still in its file', () =>
      this.#remains.overwrite(this.#parts.pause).catch(() => {
        if (this.database === database) this.#beginAgain()
        this.#assertGone()
      }),
    )
  }

  /** A file that can be neither written nor deleted still has what was erased. */
  #assertGone(): void {
    const { path } = this.#parts
    if (path !== null && this.#opened.problem !== null && existsSync(path))
      throw new Error(this.#opened.problem)
  }

  async #tryStep<Done>(problem: string, step: () => Promise<Done>): Promise<Done> {
    try {
      return await step()
    } catch (error) {
      this.#failure = { problem, at: this.#parts.clock.monotonic() }
      throw error
    }
  }

  #writeBatch(batch: IndexBatch): void {
    try {
      this.#writer.write(batch)
      this.#place = { ...this.#place, leaf: batch.leaf }
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#beginAgain()
    }
  }

  /** Nobody is answered before it is known, and whoever comes meanwhile waits. */
  #check(size: number): Promise<void> {
    if (this.#checked !== null && this.#place.leaf <= size) return this.#checked
    this.#checked = this.#compareWithLedger(size).catch((error: unknown) => {
      this.#checked = null
      throw error
    })
    return this.#checked
  }

  /** A ledger that has another entry where the index ends, or none, is another ledger: somebody restored one. */
  async #compareWithLedger(size: number): Promise<void> {
    const { store } = this.#parts
    // What the process before it left undone.
    await this.#overwriteRemains()
    const leaf = this.#place.leaf
    if (leaf === 0) return
    const [id] = leaf > size ? [] : await store.listLeafIds(leaf - 1, 1)
    if (
      leaf === this.#place.leaf &&
      id !== this.database.prepare('SELECT last FROM place').get()?.last
    )
      this.#beginAgain()
  }

  #beginAgain(): void {
    const { path, store } = this.#parts
    const { file, problem } = this.#opened
    const isHeld = file === null && problem === null
    this.close()
    this.#opened = createIndexDatabase(isHeld ? null : path, store.tenant)
    this.#writer = new IndexWriter(this.database)
    this.#remains = new IndexRemains(this.#opened)
    this.#place = readIndexPlace(this.database)
  }
}
