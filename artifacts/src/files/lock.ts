/**
 * One writer of a folder at a time.
 *
 * L1 whoever wants to write puts down a name of its own, then looks for others; with another that lives, it takes its own back. Two
 *    that come at once both see each other, so never both write. Each tries again a moment later.
 * L2 a name is used once and says who put it down, so the name of a process that has ended can be removed by anybody: nobody else's goes.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from 'rubicon-kernel'
import { type Disk, removeIfThere } from './disk.ts'
import { createFileProblem, describeDiskError, type FileProblem } from './file-problem.ts'
import { formatRecordName } from './record-folder.ts'

type LockOwner = {
  readonly pid: number
  /** When it began, as the system counts; `0`: the system does not say. A number is given to another process one day. */
  readonly started: string
  readonly host: string
}

export type HeldLock = { release(): void }

/** Of this process: what it has put down and could not take back counts as its own no more. */
const held = new Set<string>()

const FOLDER = 'writers'
const TRIES = 12
const NAME = /^([1-9][0-9]*)-([0-9]+)-([0-9a-f]+)-[0-9a-f]{16}$/

/** Below the folder that the record lies in. */
export function acquireLock(disk: Disk, record: string): Result<HeldLock, FileProblem> {
  const folder = join(record, FOLDER)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    let other: LockOwner | null = null
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) sleepFor(2 + Math.floor(Math.random() * 20))
      const tried = tryLock(disk, folder)
      if ('release' in tried) return ok(tried)
      other = tried
    }
    return err(describeOwner(other))
  } catch (error) {
    return err(describeDiskError(error, null, 'write'))
  }
}

/** The lock, or another who has it. */
function tryLock(disk: Disk, folder: string): HeldLock | LockOwner {
  const started = readStart(process.pid)
  const name = formatName({ pid: process.pid, started, host: hostname() })
  const path = join(folder, name)
  const release = (): void => {
    held.delete(path)
    removeIfThere(disk.unlink, path)
  }
  held.add(path)
  try {
    disk.close(disk.create(path, 0o600))
    const other = findOther(disk, folder, name)
    if (other === null) return { release }
    release()
    return other
  } catch (error) {
    held.delete(path)
    throw error
  }
}

/** One that lives. Those that do not are removed. */
function findOther(disk: Disk, folder: string, own: string): LockOwner | null {
  for (const name of readdirSync(folder)) {
    if (name === own) continue
    const owner = parseName(name)
    if (owner === null || isAlive(owner, join(folder, name)))
      return owner ?? { pid: 0, started: '0', host: name }
    removeIfThere(disk.unlink, join(folder, name))
  }
  return null
}

function describeOwner(owner: LockOwner | null): FileProblem {
  const isHere = owner?.host === hostname()
  return createFileProblem(
    'FILES_LOCKED',
    null,
    `process ${owner?.pid ?? 0}${isHere ? '' : ` on \`${owner?.host}\``} is writing these files`,
    isHere
      ? undefined
      : `if nobody writes there any more, remove what is in \`${formatRecordName(FOLDER)}\``,
  )
}

function formatName({ pid, started, host }: LockOwner): string {
  return `${pid}-${started}-${Buffer.from(host).toString('hex') || '00'}-${randomBytes(8).toString('hex')}`
}

function parseName(name: string): LockOwner | null {
  const [, pid, started = '0', host = ''] = NAME.exec(name) ?? []
  if (pid === undefined) return null
  return { pid: Number(pid), started, host: Buffer.from(host, 'hex').toString() }
}

/** Of another machine nobody here can say: it counts as one that lives. */
function isAlive({ pid, started, host }: LockOwner, path: string): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return held.has(path)
  try {
    process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
  const [state = '', now = '0'] = readState(pid)
  // One that was killed and that nobody has asked after yet.
  if (state === 'Z' || state === 'X') return false
  return now === '0' || started === '0' || now === started
}

function readStart(pid: number): string {
  return readState(pid)[1] ?? '0'
}

/** The third and the 22nd field of what Linux says of a process; the second one may hold anything in brackets. */
function readState(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [fields[0] ?? '', fields[19] ?? '0']
  } catch {
    return []
  }
}

function sleepFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
