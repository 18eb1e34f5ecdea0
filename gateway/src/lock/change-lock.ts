/**
 * Replaces the list of agreed tools. Whoever has the draft is the only one who changes it, from before the list is read:
 * otherwise of two at once one would put back what the other has changed, such as a tool that nobody may take for
 * harmless any more. It is written aside and renamed, so that nobody reads half of it.
 */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import { formatLock, loadLock, readLockText, type ToolLock } from './lock-file.ts'

const DRAFT = '.new'

export type LockChange<Value> = { readonly lock: ToolLock; readonly value: Value }

/** Nothing is written where `change` fails, and nothing that could not be read again: the next start would have no tools at all. */
export async function changeLock<Value>(
  path: string,
  change: (lock: ToolLock) => Promise<Result<LockChange<Value>, Failure>>,
): Promise<Result<Value, Failure>> {
  const draft = `${path}${DRAFT}`
  const file = openDraft(draft)
  if (!file.ok) return file
  let isPlaced = false
  try {
    const lock = await loadLock(path)
    if (!lock.ok) return lock
    const changed = await change(lock.value)
    if (!changed.ok) return changed
    const text = formatLock(changed.value.lock)
    const read = readLockText(path, Buffer.from(text))
    if (!read.ok) return read
    const placed = placeDraft(file.value, draft, path, text)
    isPlaced = placed.ok
    return placed.ok ? ok(changed.value.value) : placed
  } finally {
    closeSync(file.value)
    if (!isPlaced) rmSync(draft, { force: true })
  }
}

function placeDraft(
  file: number,
  draft: string,
  path: string,
  text: string,
): Result<null, Failure> {
  try {
    writeFileSync(file, text, { flush: true })
    renameSync(draft, path)
    return ok(null)
  } catch (cause) {
    return err(createUnwritableFailure(path, cause))
  }
}

function openDraft(draft: string): Result<number, Failure> {
  try {
    return ok(openSync(draft, 'wx', 0o644))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'))
      return err(createUnwritableFailure(draft, cause))
    return err({
      code: 'MCP_LOCK_BUSY',
      summary: `${draft} is there: somebody else approves tools`,
      why: 'one of two simultaneous approvals would undo the other',
      fix: 'try again; remove the file if an approval was interrupted',
    })
  }
}

function createUnwritableFailure(path: string, cause: unknown): Failure {
  return {
    code: 'MCP_LOCK_UNWRITABLE',
    summary: `${path} cannot be written`,
    why: cause instanceof Error ? cause.message : String(cause),
    fix: 'give the user of the server write permission, or approve as a user who has it',
  }
}
