/**
 * Opens the file of a search index, or makes one. It holds nothing that the ledger does not: whatever is wrong with
 * it, it is thrown away.
 *
 * O1 one process has the file; another has an index in memory.
 * O2 a file of another version or tenant, or one that SQLite cannot open, is deleted and begun again; damage that shows
 *    later is met by `SearchIndex`.
 */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { INDEX_TABLES, INDEX_VERSION } from './index-schema.ts'

/** Null: in memory. */
export type IndexPath = string | null

export function openIndexDatabase(path: IndexPath, tenant: string): DatabaseSync {
  if (path === null) return createIndex(':memory:', tenant)
  const found = openFile(path, tenant)
  if (found === 'held') return createIndex(':memory:', tenant)
  if (found !== 'unusable') return found
  deleteIndexFile(path)
  return createIndex(path, tenant)
}

export function deleteIndexFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}

/** SQLite's codes for a file that somebody else has. */
const BUSY: readonly number[] = [5, 6]

function openFile(path: string, tenant: string): DatabaseSync | 'held' | 'unusable' {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path)
    lockFile(database)
    if (isOfThisVersion(database, tenant)) return database
    database.close()
    return 'unusable'
  } catch (error) {
    database?.close()
    return isBusy(error) ? 'held' : 'unusable'
  }
}

/**
 * `secure_delete` overwrites what is deleted, in the file; the log is emptied after an erasure
 * (`SearchIndex.forgetFlow`). Nothing waits for a disk: what a machine loses with its power is made again.
 */
function lockFile(database: DatabaseSync): void {
  database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 8192; BEGIN EXCLUSIVE; COMMIT`)
}

function isOfThisVersion(database: DatabaseSync, tenant: string): boolean {
  if (database.prepare('PRAGMA user_version').get()?.user_version !== INDEX_VERSION) return false
  return database.prepare('SELECT tenant FROM place').get()?.tenant === tenant
}

function createIndex(path: string, tenant: string): DatabaseSync {
  const database = new DatabaseSync(path)
  lockFile(database)
  database.exec(`BEGIN; ${INDEX_TABLES} PRAGMA user_version = ${INDEX_VERSION}; COMMIT`)
  database.prepare('INSERT INTO place VALUES (1, ?, 0, NULL)').run(tenant)
  return database
}

function isBusy(error: unknown): boolean {
  return BUSY.includes(getErrorCode(error))
}

/** Without what an extended code adds; 0: it is no error of SQLite. */
function getErrorCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0
  return typeof code === 'number' ? code & 0xff : 0
}

/** SQLite's codes for a file that is damaged, or none of its own. */
const DAMAGED: readonly number[] = [11, 26]

export function isDamage(error: unknown): boolean {
  return DAMAGED.includes(getErrorCode(error))
}
