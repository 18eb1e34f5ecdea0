/**
 * The client's own file, and its copy from before.
 *
 * B1 the copy is whole and on the disk before the file is touched.
 * B2 a copy that is there is never replaced: it may be the only one.
 * B3 what somebody changed in the file since is kept beside it when the copy is put back.
 */
import { chmodSync, existsSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isObject, type JsonObject, type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { type ClientFile, GATEWAY_NAME, parseClientFile } from 'rubicon-mcp'
import { CliFailure } from '../failure.ts'
import { createWhole, flushFolder, readIfThere, replaceWhole } from './whole-file.ts'

export function toBackupName(file: string): string {
  return `${file}.before-rubicon`
}

/** Before anything is written: whether it could be. */
export function assertBackupFree(file: string, text: string): void {
  const backup = readIfThere(toBackupName(file))
  if (backup === null || backup === text) return
  throw new CliFailure({
    code: 'MCP_BACKUP_THERE',
    summary: `${toBackupName(file)} is there, and is another file than ${file}`,
    why: 'it may be the only copy of what the client was set to before',
    fix: '`rubicon mcp eject` puts it back; or move it aside',
  })
}

/** `before` is what was read: a file that somebody has changed meanwhile is left as it is. */
export function replaceClientFile(file: string, before: string, after: string): void {
  assertBackupFree(file, before)
  const backup = toBackupName(file)
  if (!existsSync(backup)) createWhole(backup, before)
  if (readIfThere(file) !== before)
    throw new CliFailure({
      code: 'MCP_CLIENT_CHANGED',
      summary: `${file} was changed meanwhile`,
      fix: `remove ${backup}, and try again`,
    })
  replaceWhole(file, after, statSync(file).mode & 0o777)
}

export type PutBack = {
  readonly file: string
  /** Where the file is now that was changed since; null: nobody had changed it. */
  readonly kept: string | null
}

export function putBackClientFile(file: string): PutBack {
  const backup = toBackupName(file)
  const before = readIfThere(backup)
  if (before === null)
    throw new CliFailure({
      code: 'MCP_BACKUP_MISSING',
      summary: `${backup} is not there`,
      why: 'only `rubicon mcp init --apply` makes it',
      fix: 'name the client’s file with --from',
    })
  const now = readIfThere(file)
  const kept = now === null || isAsWritten(file, before, now) ? null : toKeptName(file)
  if (kept !== null && now !== null) createWhole(kept, now)
  if (now !== null) chmodSync(backup, statSync(file).mode & 0o777)
  renameSync(backup, file)
  flushFolder(dirname(file))
  return { file, kept }
}

function toKeptName(file: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${file}.after-rubicon${count === 1 ? '' : `-${count}`}`
    if (!existsSync(name)) return name
  }
}

/** The file says what its copy says, apart from the gateway and the servers behind it. */
function isAsWritten(file: string, before: string, now: string): boolean {
  if (before === now) return true
  const [left, right] = [parseClientFile(file, before), parseClientFile(file, now)]
  if (!left.ok || !right.ok || left.value.member !== right.value.member) return false
  return toCanonicalText(left.value.document) === toCanonicalText(restore(left.value, right.value))
}

function restore(before: ClientFile, { document, member }: ClientFile): JsonObject {
  const old = before.document[member]
  const own = Object.entries(readMember(document[member])).filter(([name]) => name !== GATEWAY_NAME)
  return { ...document, [member]: { ...readMember(old), ...Object.fromEntries(own) } }
}

function readMember(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}
