/**
 * Overwrites what is left in the file of rows that are gone: pieces in pages that were split (`page-remains.ts`), and the
 * log, which holds pages as they were.
 *
 * Invariants:
 * 1. The file is written to beside SQLite only while the log is empty and this connection holds the lock of writers. Then no
 *    process changes the file; who reads it needs nothing of what is overwritten, and neither does a start after a crash.
 * 2. What SQLite remembers of pages that were overwritten is dropped before it runs again: it would write it back.
 * 3. Pieces never move: a page that was overwritten has none of what was gone by then, so that others may write between two parts of a pass.
 * 4. That a pass is owed stands in the file from the unit on that took something out, until the pass is on the disk.
 */
import { closeSync, fsync, openSync, readSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Store, StoreError } from '../../ports/store.ts'
import { createClosedError } from '../unit/closed.ts'
import type { SqliteCommitQueue } from './commit-queue.ts'
import { readFileSize } from './files.ts'
import type { OpenSqlite } from './open-database.ts'
import { OWE_NONE, OWED } from './owed-pass.ts'
import { findRemains, MOST_PAGES, type PageGap, ZEROS } from './page-remains.ts'
import { BUSY_MS, readPragma } from './pragmas.ts'
import { convertFileError, storeError } from './sqlite-error.ts'

/** One turn takes about a millisecond; decisions go on between. */
const PART_BYTES = 2 * 1024 * 1024
const RETRY_MS = 20

/** What the owner before began and did not end. Where readers are in the way it is left to the next erasure. */
export async function finishOwed<T extends Pick<Store, 'overwriteRemains' | 'close'>>(
  store: T,
): Promise<T> {
  try {
    await store.overwriteRemains()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') {
      await store.close()
      throw error
    }
  }
  return store
}

export class Remains {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #queue: SqliteCommitQueue
  readonly #waitMs: number
  readonly #pageBytes: number
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  /** Closed after SQLite has closed the file: to close a file gives up the locks that the process has on it. */
  #file: number | undefined
  #closed = false

  /** `waitMs`: how long readers of an older state are waited for. */
  constructor({ database, path }: OpenSqlite, queue: SqliteCommitQueue, waitMs: number = BUSY_MS) {
    this.#database = database
    this.#path = path
    this.#queue = queue
    this.#waitMs = waitMs
    this.#pageBytes = Number(readPragma(database, 'page_size'))
  }

  /**
   * Afterwards nothing is left of what was taken out before the call. Whoever comes while a pass runs shares the next one, and
   * where nothing was taken out since the last there is none.
   */
  overwrite(): Promise<void> {
    if (this.#next !== undefined) return this.#next
    if (this.#running === undefined) return this.#start()
    const begin = (): Promise<void> => {
      this.#next = undefined
      return this.#start()
    }
    this.#next = this.#running.then(begin, begin)
    return this.#next
  }

  stop(): void {
    this.#closed = true
  }

  /** After SQLite has closed the file. */
  closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #start(): Promise<void> {
    this.#running = this.#runPass().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #runPass(): Promise<void> {
    this.#assertOpen()
    const owed = this.#countOwed()
    if (owed === 0) return
    this.#assertFixedPages()
    const file = this.#openFile()
    const part = Buffer.alloc(PART_BYTES)
    for (let from: number | null = 0; from !== null; ) {
      await this.#clearLog()
      from = this.#overwritePart(file, part, from)
      await turn()
    }
    await promisify(fsync)(file).catch((error: unknown) => {
      throw convertFileError(error, this.#path)
    })
    this.#assertOpen()
    this.#queue.runAlone(() => {
      if (this.#countOwed() === owed) this.#database.exec(OWE_NONE)
    })
  }

  /**
   * A file with `auto_vacuum` has pages that say where others are referred to. They begin with a number that is the kind of a
   * tree, too, and would be overwritten; and pages move with all that stands in them, also behind the pass.
   */
  #assertFixedPages(): void {
    if (readPragma(this.#database, 'auto_vacuum') === 0) return
    throw new StoreError(
      'STORE_ERROR',
      `store \`${this.#path}\`: somebody has set \`auto_vacuum\` for it, so that pieces of what was erased cannot be overwritten`,
      'stop the process and run `PRAGMA auto_vacuum = NONE; VACUUM` on the file',
    )
  }

  #countOwed(): number {
    return Number(this.#database.prepare(OWED).get()?.units)
  }

  /** Where the next part begins; null: this was the last. */
  #overwritePart(file: number, part: Buffer, from: number): number | null {
    let next: number | null = from
    /** Null: some, perhaps. */
    let found: number | null = null
    try {
      this.#queue.runAlone(() => {
        const size = this.#readSize()
        // Something was written since the log was emptied: once more.
        if (size === null) return
        const pages = part.subarray(0, Math.min(part.length, size - from))
        found = this.#overwritePages(file, pages, from)
        next = from + pages.length < size ? from + pages.length : null
      })
    } finally {
      if (found !== 0) this.#database.exec('PRAGMA shrink_memory')
    }
    return next
  }

  #overwritePages(file: number, pages: Buffer, from: number): number {
    try {
      readAll(file, pages, from)
      let found = 0
      for (let at = 0; at < pages.length; at += this.#pageBytes) {
        const page = pages.subarray(at, at + this.#pageBytes)
        const gap = findRemains(page, (from + at) / this.#pageBytes + 1)
        if (gap === null) continue
        overwriteAll(file, { from: from + at + gap.from, to: from + at + gap.to })
        found += 1
      }
      return found
    } catch (error) {
      throw convertFileError(error, this.#path)
    }
  }

  /** Into the file, and of length 0. Whoever reads an older state needs the log, and is waited for. */
  async #clearLog(): Promise<void> {
    const until = performance.now() + this.#waitMs
    for (;;) {
      this.#assertOpen()
      if (this.#tryClearLog()) return
      if (performance.now() > until) throw createReadersError(this.#path)
      await wait(RETRY_MS)
    }
  }

  #tryClearLog(): boolean {
    // The thread of decisions does not wait for readers.
    this.#database.exec('PRAGMA busy_timeout = 0')
    try {
      const row = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
      return row?.busy === 0 && readFileSize(`${this.#path}-wal`) === 0
    } catch (error) {
      throw storeError(error, this.#path)
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    }
  }

  #openFile(): number {
    try {
      this.#file ??= openSync(this.#path, 'r+')
      return this.#file
    } catch (error) {
      throw convertFileError(error, this.#path)
    }
  }

  /** Of the file; null: it is not all that there is. */
  #readSize(): number | null {
    if (readFileSize(`${this.#path}-wal`) !== 0) return null
    const size = readFileSize(this.#path)
    if (size / this.#pageBytes < MOST_PAGES) return size
    throw new StoreError(
      'STORE_ERROR',
      `store \`${this.#path}\`: it is too large to tell which of its pages hold pieces of what was erased`,
      'stop the process and run `VACUUM` on the file',
    )
  }

  #assertOpen(): void {
    if (this.#closed) throw createClosedError()
  }
}

/** A read may bring a part. */
function readAll(file: number, into: Buffer, from: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(file, into, at, into.length - at, from + at)
    if (read === 0) throw new Error('the file is shorter than it was')
    at += read
  }
}

/** A write may take a part. */
function overwriteAll(file: number, { from, to }: PageGap): void {
  for (let at = from; at < to; ) at += writeSync(file, ZEROS, 0, to - at, at)
}

function createReadersError(path: string): StoreError {
  return new StoreError(
    'STORE_LOCKED',
    `store \`${path}\`: it is erased, but another process reads a state from before, so that pieces of it are still in the file`,
    'end that process (`fuser` on the file names it) and ask again: what is left is overwritten then, or at the next start',
  )
}
