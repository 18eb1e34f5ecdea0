/**
 * One owner at a time, across processes: an open exclusive transaction on a database beside the
 * store. The operating system ends it with the process, so no lock is ever left behind.
 */
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../ports/store.ts'
import { createPrivateFile } from './files.ts'
import { isSqliteError, storeError } from './sqlite-error.ts'

export type Ownership = { readonly release: () => void }

const SQLITE_BUSY = 5

export function takeOwnership(path: string): Ownership {
  const file = `${path}-owner`
  createPrivateFile(file, 'or keep')
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    const isTaken = isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY
    throw isTaken ? createLockedError(path, error) : storeError(error, file)
  }
  return { release: () => database.close() }
}

function createLockedError(path: string, cause: unknown): StoreError {
  return new StoreError(
    'STORE_LOCKED',
    `store \`${path}\` is in use by another process`,
    'stop that process (`fuser` on the file names it), choose another path, or open it read-only',
    cause,
  )
}
