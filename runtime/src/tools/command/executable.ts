/**
 * Executables that the operator lets tools start: by path, and by content where it is pinned. Looked at when a
 * manifest is loaded and again before each start. Whoever may write the file can still replace it in between, so
 * that only its owner and root may.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, normalize } from 'node:path'

export type AllowedExecutable = {
  readonly path: string
  /** Of the file, in lower-case hex. */
  readonly sha256?: string
}

/** They make commands of text. A tool that needs one is a program of its own. */
const SHELLS: ReadonlySet<string> = new Set(
  'ash bash busybox cmd.exe csh dash doas env eval fish ksh mksh nohup powershell.exe pwsh rbash setsid sh sudo su tcsh timeout xargs zsh'.split(
    ' ',
  ),
)

export function isShell(path: string): boolean {
  return SHELLS.has(basename(path))
}

/** Of the path alone, without a look at any file. */
export function findPathProblem(path: string): string | null {
  if (!isAbsolute(path) || normalize(path) !== path || path.endsWith('/'))
    return 'is no absolute path in its shortest form'
  if (path.includes('\0')) return 'is no path'
  return isShell(path) ? 'MANIFEST_SHELL: is a shell, or starts other programs' : null
}

/** Why it may not be started, or null. */
export async function findExecutableProblem(
  allowed: readonly AllowedExecutable[],
  path: string,
): Promise<string | null> {
  const problem = findPathProblem(path)
  if (problem !== null) return problem
  const entry = allowed.find((each) => each.path === path)
  if (entry === undefined) return 'is not allowed'
  try {
    return (await findFileProblem(path)) ?? (await findPinProblem(entry))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return `cannot be used (${code})`
  }
}

async function findFileProblem(path: string): Promise<string | null> {
  const real = await realpath(path)
  if (real !== path) return 'is behind a symbolic link: name the file itself'
  const found = await lstat(path)
  if (!found.isFile()) return 'is no regular file'
  if ((found.mode & 0o022) !== 0) return 'can be written by others than its owner'
  if ((found.mode & 0o6000) !== 0) return 'runs as somebody else (setuid, setgid)'
  if (found.uid !== 0 && found.uid !== process.getuid?.()) return 'belongs to somebody else'
  await access(path, constants.X_OK)
  return findFolderProblem(dirname(path))
}

/** In a folder that anybody can write, anybody can put another file in its place; the sticky bit prevents it. */
async function findFolderProblem(path: string): Promise<string | null> {
  const { mode } = await lstat(path)
  if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
    return 'lies in a folder that anybody can write'
  return path === '/' ? null : findFolderProblem(dirname(path))
}

async function findPinProblem({ path, sha256 }: AllowedExecutable): Promise<string | null> {
  if (sha256 === undefined) return null
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part)
  return hash.digest('hex') === sha256
    ? null
    : 'is not the file that was allowed: its SHA-256 differs'
}
