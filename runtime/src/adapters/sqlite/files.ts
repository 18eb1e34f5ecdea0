import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StoreError } from '../../ports/store.ts'
import { convertFileError } from './sqlite-error.ts'

/** The folder exists, for its owner alone, and the path has one spelling: two are two owners. */
export function preparePath(given: string): string {
  try {
    const path = resolve(given)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
  } catch (error) {
    throw convertFileError(error, given)
  }
}

/** SQLite opens what it may not write as read-only without a word, and fails much later. */
export function assertWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK)
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw convertFileError(error, path)
  }
}

/** SQLite gives its log and index the rights of the database file, so it is made first. */
export function createPrivateFile(path: string, existing: 'or fail' | 'or keep' = 'or fail'): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!exists || existing === 'or fail') throw convertFileError(error, path)
  }
}

/** A log without its database would be played into whatever is created in its place. */
export function assertNoOrphanLog(path: string): void {
  if (readFileSize(`${path}-wal`) === 0) return
  throw new StoreError(
    'STORE_CORRUPT',
    `store \`${path}\`: the database is gone, but its log \`${path}-wal\` is still there`,
    'put the database back beside its log, or move the log away to start anew',
  )
}

/** Bytes; 0 when there is no such file. */
export function readFileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Where to open a store for reading. SQLite needs its shared index beside the file even to read. In
 * a folder where it can make none (a read-only medium, an auditor's copy) and where no log waits to
 * be read, the file is opened as one that nobody changes.
 */
export function resolveReadLocation(path: string): string | URL {
  if (existsSync(`${path}-wal`) || isWritable(dirname(path))) return path
  const url = pathToFileURL(path)
  url.search = '?immutable=1'
  return url
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
