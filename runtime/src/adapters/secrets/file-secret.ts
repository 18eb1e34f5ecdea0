import { constants, type FileHandle, open } from 'node:fs/promises'
import { LIMITS } from 'rubicon-kernel'
import { type SecretSource, SecretUnavailable } from '../../ports/secrets.ts'
import { parseSecret } from './secret-value.ts'

/**
 * A file that only its owner, who runs this process, can read. What is judged is the file that was opened:
 * between a look at a path and its opening somebody could put another there.
 */
export function createFileSecret(path: string): SecretSource {
  return {
    async read() {
      const file = await openPrivately(path)
      try {
        await checkOwner(file)
        return parseSecret(await readUpTo(file, LIMITS.secretLength * 4))
      } finally {
        await file.close()
      }
    },
  }
}

/** Not through a symbolic link; and without waiting for whoever would write into a pipe. */
async function openPrivately(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    const why = code === 'ELOOP' ? 'is a symbolic link' : `cannot be opened (${code})`
    throw new SecretUnavailable(`the file ${why}`)
  }
}

async function checkOwner(file: FileHandle): Promise<void> {
  const found = await file.stat()
  if (!found.isFile()) throw new SecretUnavailable('the file is no regular file')
  if (found.uid !== process.getuid?.())
    throw new SecretUnavailable('the file belongs to somebody else')
  const mode = found.mode & 0o7777
  if (mode !== 0o600 && mode !== 0o400)
    throw new SecretUnavailable(`the file has mode ${mode.toString(8)} and not 600`)
}

async function readUpTo(file: FileHandle, most: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(most + 1)
  let length = 0
  while (length <= most) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null)
    if (bytesRead === 0) break
    length += bytesRead
  }
  if (length > most) throw new SecretUnavailable('the file is too large')
  return bytes.subarray(0, length)
}
