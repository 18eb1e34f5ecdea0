/** Why files were not read or not written, with what helps. */

export type FileCode =
  | 'FILE_NAME_INVALID'
  | 'FILE_NAME_COLLISION'
  | 'FILE_MISSING'
  | 'FILE_LINK'
  | 'FILE_IRREGULAR'
  | 'FILE_CHANGED'
  | 'FILE_UNWRITABLE'
  | 'FILES_LOCKED'
  | 'DISK_FULL'
  | 'JOURNAL_BROKEN'
  | 'ARTIFACT_TOO_LARGE'
  | 'ARTIFACT_UNREADABLE'

export type FileProblem = {
  readonly code: FileCode
  readonly detail: string
  /** The id of the artifact that it is about; null: all of them, or none. */
  readonly file: string | null
  readonly fix: string
}

const FIXES: Readonly<Record<FileCode, string>> = {
  FILE_NAME_INVALID: 'rename the file, or name another one',
  FILE_NAME_COLLISION: 'rename one of them: on some systems they are one file',
  FILE_MISSING: 'check the name; names are relative to the root and have `/` between folders',
  FILE_LINK: 'name the file itself, or replace the link by a file',
  FILE_IRREGULAR: 'name a regular file',
  FILE_CHANGED: 'read the file again, and plan the change on what it holds now',
  FILE_UNWRITABLE:
    'check the rights of the file and of its folder, and whether the disk is mounted read-only',
  FILES_LOCKED: 'wait until the other process has ended, then try again',
  DISK_FULL: 'free space on the disk, then try again: nothing was changed',
  JOURNAL_BROKEN:
    'compare the files that it names with their copies beside them, then remove the journal',
  ARTIFACT_TOO_LARGE: 'split the file, or keep it out of artifacts',
  ARTIFACT_UNREADABLE: 'check the file and its rights',
}

export function createFileProblem(
  code: FileCode,
  file: string | null,
  detail: string,
  fix: string = FIXES[code],
): FileProblem {
  return { code, detail, file, fix }
}

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']
const DENIED = ['EACCES', 'EPERM', 'EROFS', 'ETXTBSY']

/** Of an error of the system. Whatever is no such error is a mistake in the program, and thrown again. */
export function describeDiskError(
  error: unknown,
  file: string | null,
  doing: 'read' | 'write',
): FileProblem {
  const code = findErrorCode(error)
  if (code === null) throw error
  const detail = `${file === null ? 'the files' : `\`${file}\``} could not be ${doing === 'read' ? 'read' : 'written'}: ${code}`
  if (code === 'ENOENT')
    return createFileProblem('FILE_MISSING', file, `${detail}: it is not there`)
  if (code === 'ELOOP') return createFileProblem('FILE_LINK', file, `${detail}: a symbolic link`)
  if (doing === 'read') return createFileProblem('ARTIFACT_UNREADABLE', file, detail)
  if (FULL.includes(code)) return createFileProblem('DISK_FULL', file, detail)
  return createFileProblem(
    'FILE_UNWRITABLE',
    file,
    detail,
    DENIED.includes(code) ? undefined : 'check the disk, then try again: nothing was changed',
  )
}

export function findErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
