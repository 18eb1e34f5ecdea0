import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../ports/store.ts'

/** 'RUBI': tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x52554249

/**
 * An entry with its packed payload fits on a page. A commit writes every page that it touches, whole: with pages of twice
 * the size a decision writes 237 KB in place of 135. A file keeps the size that it was made with.
 */
export const PAGE_BYTES = 4096

/** How long a connection waits for a lock. */
export const BUSY_MS = 5000

type Setting = readonly [name: string, set: string | number, reads: string | number]

/** FULL: in WAL mode anything less loses acknowledged commits when the power fails. */
const WRITER: readonly Setting[] = [
  ['busy_timeout', BUSY_MS, BUSY_MS],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  // So that REPLACE, which deletes, meets the trigger that forbids deleting.
  ['recursive_triggers', 'ON', 1],
  ['wal_autocheckpoint', 2000, 2000],
  ['cache_size', -65536, -65536],
  // Always, and not only while something is erased: a row that grows leaves what it said where it was, and an erasure finds
  // that no more. What pages that were split leave is overwritten afterwards (`remains.ts`).
  ['secure_delete', 'ON', 1],
]

const READER: readonly Setting[] = [
  ['busy_timeout', BUSY_MS, BUSY_MS],
  ['query_only', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
]

export function setWriterPragmas(database: DatabaseSync, path: string): void {
  setAll(database, WRITER, path)
}

export function setReaderPragmas(database: DatabaseSync, path: string): void {
  setAll(database, READER, path)
}

export function readPragma(database: DatabaseSync, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get()
  return row === undefined ? undefined : Object.values(row)[0]
}

/** SQLite ignores a pragma that it does not know or cannot honour, so each is read back. */
function setAll(database: DatabaseSync, settings: readonly Setting[], path: string): void {
  for (const [name, value, expected] of settings) {
    database.exec(`PRAGMA ${name} = ${value}`)
    const actual = readPragma(database, name)
    if (actual === expected) continue
    throw new StoreError(
      'STORE_ERROR',
      `store \`${path}\`: \`PRAGMA ${name}\` is ${String(actual)}, not ${expected}`,
      'the file system may not support what SQLite needs; use a local disk',
    )
  }
}
