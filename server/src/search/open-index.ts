/**
 * Opens the file of a search index, or makes one. It holds nothing that the ledger does not: whatever is wrong with
 * it, it is thrown away.
 *
 * O1 one process has the file; another has an index in memory.
 * O2 a file of another version or tenant, or one that SQLite cannot open, is deleted and begun again; damage that shows
 *    later is met by `SearchIndex`.
 * O3 where no file can be made, the index is in memory, and says so.
 * O4 a file is read by its owner alone, and has the tables that we make, with nothing beside them: a trigger would keep
 *    words that are taken out.
 */
import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { INDEX_TABLES, INDEX_VERSION } from './index-schema.ts'

/** Null: in memory. */
export type IndexPath = string | null

export type OpenedIndex = {
  readonly database: DatabaseSync
  /** The file that it is in; null: it is in memory. */
  readonly file: IndexPath
  /** Why it is not kept; null: it is, or nobody wanted that. */
  readonly problem: string | null
}

export function openIndexDatabase(path: IndexPath, tenant: string): OpenedIndex {
  const found = path === null ? 'held' : openFile(path, tenant)
  if (found === 'held') return createIndexDatabase(null, tenant)
  if (found !== 'unusable') return { database: found, file: path, problem: null }
  return createIndexDatabase(path, tenant)
}

/** In the place of a file that is there. */
export function createIndexDatabase(path: IndexPath, tenant: string): OpenedIndex {
  const createInMemory = (problem: string | null): OpenedIndex => ({
    database: createIndex(':memory:', tenant),
    file: null,
    problem,
  })
  if (path === null) return createInMemory(null)
  try {
    deleteIndexFile(path)
    closeSync(openSync(path, 'wx', PRIVATE))
    return { database: createIndex(path, tenant), file: path, problem: null }
  } catch {
    return createInMemory(
      'its file cannot be written: the index is in memory, and made again at each start',
    )
  }
}

/** SQLite gives its log the rights of the file. */
const PRIVATE = 0o600

function deleteIndexFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}

/** SQLite's codes for a file that somebody else has. */
const BUSY: readonly number[] = [5, 6]

function openFile(path: string, tenant: string): DatabaseSync | 'held' | 'unusable' {
  let database: DatabaseSync | null = null
  try {
    if (existsSync(path)) chmodSync(path, PRIVATE)
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
 * `secure_delete` overwrites what is deleted, in the file; what it leaves is overwritten after an erasure
 * (`index-remains.ts`). Nothing waits for a disk: what a machine loses with its power is made again.
 */
function lockFile(database: DatabaseSync): void {
  database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 8192; BEGIN EXCLUSIVE; COMMIT`)
}

function isOfThisVersion(database: DatabaseSync, tenant: string): boolean {
  if (database.prepare('PRAGMA user_version').get()?.user_version !== INDEX_VERSION) return false
  if (describeTables(database) !== getOwnTables()) return false
  return database.prepare('SELECT tenant FROM place').get()?.tenant === tenant
}

let ownTables: string | null = null

/** Of an index that was just made. */
function getOwnTables(): string {
  if (ownTables !== null) return ownTables
  const database = createIndex(':memory:', '')
  ownTables = describeTables(database)
  database.close()
  return ownTables
}

/** Pages that move, or deleted words that stay in the trigrams, would keep what is taken out. */
function describeTables(database: DatabaseSync): string {
  return JSON.stringify([
    database.prepare('PRAGMA auto_vacuum').get(),
    database.prepare("SELECT v FROM words_config WHERE k = 'secure-delete'").all(),
    database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name').all(),
  ])
}

function createIndex(path: string, tenant: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    lockFile(database)
    database.exec(`BEGIN; ${INDEX_TABLES} PRAGMA user_version = ${INDEX_VERSION}; COMMIT`)
    database.prepare('INSERT INTO place VALUES (1, ?, 0, NULL, 0)').run(tenant)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return BUSY.includes(getErrorCode(error))
}

/** Without what an extended code adds; 0: it is no error of SQLite. */
function getErrorCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0
  return typeof code === 'number' ? code & 0xff : 0
}

/** SQLite's codes for a file that is damaged, or none of its own, or that the disk does not give back. */
const UNREADABLE: readonly number[] = [10, 11, 26]

export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.includes(getErrorCode(error))
}
