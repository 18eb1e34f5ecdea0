/**
 * One process at a time changes who may ask. The file is read, changed and written whole: of two that do so at
 * once, the second would take out what the first put in, and a token that was shown would be nobody's.
 *
 * The lock is one of SQLite on a file beside it, which the system takes back when a process dies; a file
 * that only has to be there would stay.
 */
import { closeSync, fchownSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { err, type Failure, LIMITS, type Result } from 'rubicon-kernel'

/** Primary result codes of SQLite: somebody else holds it. */
const BUSY = 5

export function runLocked<T>(
  path: string,
  work: () => Result<T, Failure>,
  waitMs: number = LIMITS.peopleLockMs,
): Result<T, Failure> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = `${path}.lock`
  makeLock(file)
  const lock = new DatabaseSync(file, { timeout: waitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return work()
  } catch (error) {
    if (isBusy(error)) return err(createContentionFailure(path))
    throw error
  } finally {
    lock.close()
  }
}

function makeLock(file: string): void {
  const made = openSync(file, 'a', 0o600)
  try {
    keepOwner(made, dirname(file))
  } finally {
    closeSync(made)
  }
}

/** What root makes here is given to whoever runs the server: it could read and lock nothing otherwise. */
export function keepOwner(file: number, like: string): void {
  if (process.getuid?.() !== 0) return
  const [{ uid, gid }, now] = [statSync(like), fstatSync(file)]
  // Where it is theirs already, root may not be allowed to give anything away.
  if (now.uid !== uid || now.gid !== gid) fchownSync(file, uid, gid)
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === BUSY
}

function createContentionFailure(path: string): Failure {
  return {
    code: 'STORE_CONTENTION',
    summary: `another process changes \`${path}\``,
    why: 'two processes that write it at once would lose a change',
    fix: 'try again',
  }
}
