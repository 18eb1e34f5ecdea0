import { StoreError, type StoreErrorCode } from '../../ports/store.ts'

type Known = { readonly code: StoreErrorCode; readonly says: string; readonly fix: string }

const FULL: Known = {
  code: 'STORE_FULL',
  says: 'there is no room left to write',
  fix: 'free space on the disk; nothing that was acknowledged is lost',
}
const READ_ONLY: Known = {
  code: 'STORE_READ_ONLY',
  says: 'it cannot be written',
  fix: 'make the file and its folder writable for this user, or open it for reading only',
}
const LOCKED: Known = {
  code: 'STORE_LOCKED',
  says: 'it is locked by another process',
  fix: 'stop the other process, or open it for reading only',
}
const CORRUPT: Known = {
  code: 'STORE_CORRUPT',
  says: 'it is damaged, or not a database',
  fix: 'keep the file as evidence and restore a backup beside it',
}

/** By SQLite's primary result code. */
const BY_RESULT: Readonly<Record<number, Known>> = {
  5: LOCKED,
  6: LOCKED,
  8: READ_ONLY,
  11: CORRUPT,
  13: FULL,
  26: CORRUPT,
}

/** SQLITE_IOERR_SHMSIZE: the shared index of the log could not grow. */
const SHM_SIZE = 4874

export function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

/** After this nobody knows what reached the disk. */
export function isIoError(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === 10 && error.errcode !== SHM_SIZE
}

export function storeError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error
  const known = isSqliteError(error) ? findKnownError(error.errcode) : undefined
  if (known !== undefined) {
    return new StoreError(known.code, `store \`${path}\`: ${known.says}`, known.fix, error)
  }
  const why = error instanceof Error ? error.message : String(error)
  return new StoreError('STORE_ERROR', `store \`${path}\`: ${why}`, 'see the cause', error)
}

function findKnownError(result: number): Known | undefined {
  return result === SHM_SIZE ? FULL : BY_RESULT[result & 0xff]
}

/** What the file system said no to, before SQLite was asked. */
export function convertFileError(error: unknown, path: string): StoreError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const isReadOnly = code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
  const known = isFull ? FULL : isReadOnly ? READ_ONLY : undefined
  if (known === undefined) return storeError(error, path)
  return new StoreError(known.code, `store \`${path}\`: ${known.says}`, known.fix, error)
}
