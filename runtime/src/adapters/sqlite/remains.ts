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
import { StoreError } from '../../ports/store.ts'
import { createClosedError } from '../unit/closed.ts'
import type { SqliteCommitQueue } from './commit-queue.ts'
import { readFileSize } from './files.ts'
import { findRemains, MOST_PAGES, ZEROS } from './page-remains.ts'
import { BUSY_MS, readPragma } from './pragmas.ts'
import { convertFileError, storeError } from './sqlite-error.ts'

/** One turn takes about a millisecond; decisions go on between. */
const PART_BYTES = 2 * 1024 * 1024
const RETRY_MS = 20

/** How many units took something out since the last pass that came to its end. */
export const OWE_PASS = `INSERT INTO meta VALUES ('remains', 1)
  ON CONFLICT DO UPDATE SET value = value + 1`
export const OWE_NONE = "INSERT OR REPLACE INTO meta VALUES ('remains', 0)"
/** A file that older versions wrote to says nothing, and owes one. */
const OWED = "SELECT coalesce((SELECT value FROM meta WHERE key = 'remains'), -1) AS units"

export type RemainsOptions = {
  readonly database: DatabaseSync
  readonly path: string
  readonly queue: SqliteCommitQueue
  /** How long readers of an older state are waited for. */
  readonly waitMs: number
}

export class Remains {
  readonly #options: RemainsOptions
  readonly #pageBytes: number
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  /** Closed after SQLite has closed the file: to close a file gives up the locks that the process has on it. */
  #file: number | undefined
  #closed = false

  constructor(options: RemainsOptions) {
    this.#options = options
    this.#pageBytes = Number(readPragma(options.database, 'page_size'))
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
    const { database, queue, path } = this.#options
    this.#assertOpen()
    const owed = this.#countOwed()
    if (owed === 0) return
    const file = this.#openFile()
    const part = Buffer.alloc(PART_BYTES)
    for (let from: number | null = 0; from !== null; ) {
      await this.#emptyLog()
      from = this.#overwritePart(file, part, from)
      await turn()
    }
    await promisify(fsync)(file).catch((error: unknown) => {
      throw convertFileError(error, path)
    })
    this.#assertOpen()
    queue.runAlone(() => {
      if (this.#countOwed() === owed) database.exec(OWE_NONE)
    })
  }

  #countOwed(): number {
    return Number(this.#options.database.prepare(OWED).get()?.units)
  }

  /** Where the next part begins; null: this was the last. */
  #overwritePart(file: number, part: Buffer, from: number): number | null {
    const { database, queue, path } = this.#options
    let next: number | null = from
    let found = 0
    queue.runAlone(() => {
      // Something was written since it was emptied: once more.
      if (readFileSize(`${path}-wal`) !== 0) return
      this.#assertPagesAreKnown()
      try {
        const read = readSync(file, part, 0, PART_BYTES, from)
        found = this.#overwritePages(file, part.subarray(0, read), from)
        next = read < PART_BYTES ? null : from + read
      } catch (error) {
        throw convertFileError(error, path)
      }
    })
    if (found > 0) database.exec('PRAGMA shrink_memory')
    return next
  }

  #overwritePages(file: number, part: Buffer, from: number): number {
    let found = 0
    for (let at = 0; at < part.length; at += this.#pageBytes) {
      const page = part.subarray(at, at + this.#pageBytes)
      const gap = findRemains(page, (from + at) / this.#pageBytes + 1)
      if (gap === null) continue
      writeSync(file, ZEROS, 0, gap.to - gap.from, from + at + gap.from)
      found += 1
    }
    return found
  }

  /** Into the file, and of length 0. Whoever reads an older state needs the log, and is waited for. */
  async #emptyLog(): Promise<void> {
    const { waitMs } = this.#options
    const until = performance.now() + waitMs
    for (;;) {
      this.#assertOpen()
      if (this.#tryEmptyLog()) return
      if (performance.now() > until) throw createReadersError(this.#options.path)
      await wait(RETRY_MS)
    }
  }

  #tryEmptyLog(): boolean {
    const { database, path } = this.#options
    // The thread of decisions does not wait for readers.
    database.exec('PRAGMA busy_timeout = 0')
    try {
      const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
      return row?.busy === 0 && readFileSize(`${path}-wal`) === 0
    } catch (error) {
      throw storeError(error, path)
    } finally {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    }
  }

  #openFile(): number {
    try {
      this.#file ??= openSync(this.#options.path, 'r+')
      return this.#file
    } catch (error) {
      throw convertFileError(error, this.#options.path)
    }
  }

  #assertPagesAreKnown(): void {
    const { path } = this.#options
    if (readFileSize(path) / this.#pageBytes < MOST_PAGES) return
    throw new StoreError(
      'STORE_ERROR',
      `store \`${path}\`: it is too large to tell which of its pages hold pieces of what was erased`,
      'stop the process and run `VACUUM` on the file',
    )
  }

  #assertOpen(): void {
    if (this.#closed) throw createClosedError()
  }
}

function createReadersError(path: string): StoreError {
  return new StoreError(
    'STORE_LOCKED',
    `store \`${path}\`: it is erased, but another process reads a state from before, so that pieces of it are still in the file`,
    'end that process (`fuser` on the file names it) and ask again: what is left is overwritten then, or at the next start',
  )
}
