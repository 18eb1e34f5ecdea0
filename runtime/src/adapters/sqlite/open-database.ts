/**
 * Opens the file: for its one owner, or for reading.
 *
 * Invariants:
 * 1. Nothing is written before the file has been found to be ours, whole, and not newer than us.
 * 2. A store appears under its path complete or not at all: it is made beside it and renamed.
 * 3. `epoch` is one higher than ever before, durably, before the owner does anything.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { writeEmptyStore } from './empty-store.ts'
import {
  assertNoOrphanLog,
  assertWritable,
  createPrivateFile,
  preparePath,
  resolveReadLocation,
} from './files.ts'
import { inspectStore } from './inspect.ts'
import { migrate } from './migrate.ts'
import { type Ownership, takeOwnership } from './owner.ts'
import { setReaderPragmas, setWriterPragmas } from './pragmas.ts'
import { storeError } from './sqlite-error.ts'

export type SqliteOptions = {
  readonly path: string
  readonly sha256: Sha256
  readonly migrations: readonly SchemaStep[]
}

export type OpenSqlite = {
  readonly database: DatabaseSync
  readonly path: string
  /** 0 when it was opened for reading. */
  readonly epoch: number
  readonly close: () => void
}

export function openOwned({ path: given, sha256, migrations }: SqliteOptions): OpenSqlite {
  const path = preparePath(given)
  assertWritable(path)
  const ownership = takeOwnership(path)
  try {
    if (!existsSync(path)) createStore({ path, sha256, migrations })
    inspectStore({ path, migrations, sha256, owned: true })
    return openWritableDatabase(path, migrations, sha256, ownership)
  } catch (error) {
    ownership.release()
    throw storeError(error, path)
  }
}

export function openReadOnlyDatabase({ path, sha256, migrations }: SqliteOptions): OpenSqlite {
  if (!existsSync(path)) {
    throw new StoreError(
      'STORE_MISSING',
      `store \`${path}\` does not exist`,
      'check the path; a store is created when it is first opened for writing',
    )
  }
  inspectStore({ path, migrations, sha256, owned: false })
  const database = new DatabaseSync(resolveReadLocation(path), { readOnly: true })
  setReaderPragmas(database, path)
  return { database, path, epoch: 0, close: () => database.close() }
}

/** Also how tests make stores of older schemas. */
export function createStore({ path, sha256, migrations }: SqliteOptions): void {
  assertNoOrphanLog(path)
  const draft = `${path}.new`
  for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  createPrivateFile(draft)
  writeEmptyStore(draft, migrations, sha256)
  renameSync(draft, path)
}

function openWritableDatabase(
  path: string,
  migrations: readonly SchemaStep[],
  sha256: Sha256,
  ownership: Ownership,
): OpenSqlite {
  const database = new DatabaseSync(path, { enableDoubleQuotedStringLiterals: false })
  try {
    setWriterPragmas(database, path)
    migrate(database, migrations, sha256)
    const epoch = advanceEpoch(database)
    const close = () => {
      markClean(database)
      database.close()
      ownership.release()
    }
    return { database, path, epoch, close }
  } catch (error) {
    database.close()
    throw error
  }
}

function advanceEpoch(database: DatabaseSync): number {
  database.exec(`BEGIN IMMEDIATE;
    UPDATE meta SET value = 0 WHERE key = 'clean';
    UPDATE meta SET value = value + 1 WHERE key = 'epoch';
    COMMIT`)
  const row = database.prepare("SELECT value FROM meta WHERE key = 'epoch'").get()
  return Number(row?.value)
}

/** On a full disk the mark cannot be written. That costs the next owner a check, nothing else. */
function markClean(database: DatabaseSync): void {
  try {
    database.exec("UPDATE meta SET value = 1 WHERE key = 'clean'")
  } catch {}
}
