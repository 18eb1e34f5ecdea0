/**
 * Overwrites what is left of forgotten flows in the file of the index, as the store does in its own (0124): pieces in pages
 * that were split, and the log.
 *
 * R1 that a pass is owed stands in the file, from the transaction that forgot something until the pass is on the disk.
 * R2 the file is written beside SQLite only in a turn that has emptied the log; what SQLite remembers of pages is dropped
 *    in the same turn, or it would write the pieces back.
 * R3 between two turns others may write: pieces never move from page to page.
 */
import { closeSync, fsync, openSync, readSync, statSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { findRemains, MOST_PAGES, ZEROS } from 'rubicon-runtime/page-remains'
import type { OpenedIndex } from './open-index.ts'

/** One turn takes about a millisecond. */
const PART_BYTES = 2 * 1024 * 1024

export class IndexRemains {
  readonly #database: DatabaseSync
  readonly #file: string | null
  /** Closed after SQLite has closed the file: to close a file gives up the locks that the process has on it. */
  #descriptor: number | null = null
  #running: Promise<void> | null = null

  constructor({ database, file }: OpenedIndex) {
    this.#database = database
    this.#file = file
  }

  /** Afterwards nothing is left of what was forgotten before the call; nothing is done where nothing was. */
  async overwrite(pause: () => Promise<unknown>): Promise<void> {
    // Whoever forgets something while a pass runs has added to what is owed: another follows.
    while (this.#countOwed() !== 0) {
      this.#running ??= this.#settle(pause).finally(() => {
        this.#running = null
      })
      await this.#running
    }
  }

  /** After SQLite has closed the file. */
  closeFile(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
  }

  async #settle(pause: () => Promise<unknown>): Promise<void> {
    const owed = this.#countOwed()
    if (this.#file !== null) await this.#runPass(this.#file, pause)
    this.#database.prepare('UPDATE place SET owed = 0 WHERE owed = ?').run(owed)
  }

  #countOwed(): number {
    return Number(this.#database.prepare('SELECT owed FROM place').get()?.owed)
  }

  async #runPass(path: string, pause: () => Promise<unknown>): Promise<void> {
    const pageBytes = Number(this.#database.prepare('PRAGMA page_size').get()?.page_size)
    const part = Buffer.alloc(PART_BYTES)
    this.#descriptor ??= openSync(path, 'r+')
    for (let from: number | null = 0; from !== null; ) {
      if (!this.#database.isOpen) throw new Error('the index was begun again')
      this.#clearLog(path)
      from = overwritePart(this.#descriptor, part, { from, pageBytes })
      this.#database.exec('PRAGMA shrink_memory')
      await pause()
    }
    await promisify(fsync)(this.#descriptor)
  }

  #clearLog(path: string): void {
    const row = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    const left = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (row?.busy !== 0 || left !== 0) throw new Error('the log of the index cannot be emptied')
  }
}

type Part = { readonly from: number; readonly pageBytes: number }

/** Where the next part begins; null: this was the last. */
function overwritePart(file: number, part: Buffer, { from, pageBytes }: Part): number | null {
  const read = readPart(file, part, from)
  if ((from + read) / pageBytes > MOST_PAGES)
    throw new Error('the index is too large to be overwritten')
  for (let at = 0; at + pageBytes <= read; at += pageBytes) {
    const page = part.subarray(at, at + pageBytes)
    const gap = findRemains(page, (from + at) / pageBytes + 1)
    if (gap === null) continue
    for (let byte = gap.from; byte < gap.to; )
      byte += writeSync(file, ZEROS, 0, gap.to - byte, from + at + byte)
  }
  return read < part.length ? null : from + read
}

/** Shorter than the part only at the end of the file. */
function readPart(file: number, part: Buffer, from: number): number {
  for (let read = 0; ; ) {
    const more = readSync(file, part, read, part.length - read, from + read)
    read += more
    if (more === 0 || read === part.length) return read
  }
}
