/** Disks that fail at a step, or die there. */
import { type Disk, NODE_DISK } from './disk.ts'

export type FailingDisk = Disk & {
  /** What was done, in order. */
  readonly calls: readonly string[]
  /** With those that failed. */
  countCalls(): number
}

/** Before the call with this number, counted from 1. What it throws, the call throws. */
export type AtCall = (count: number, name: string, bytes: Uint8Array | null, file: number) => void

/** Every call in its turn. Descriptors are let go of in any case: a test opens many. */
export function countingDisk(at: AtCall): FailingDisk {
  const calls: string[] = []
  let count = 0
  const open = new Map<number, string>()
  const step = (name: string, what: string, bytes: Uint8Array | null = null, file = -1): void => {
    count += 1
    at(count, name, bytes, file)
    calls.push(`${name} ${what}`)
  }
  const ofFile = (file: number): string => open.get(file) ?? '?'
  return {
    calls,
    countCalls: () => count,
    create: (path, mode) => {
      step('create', path)
      const file = NODE_DISK.create(path, mode)
      open.set(file, path)
      return file
    },
    write: (file, bytes) => {
      step('write', ofFile(file), bytes, file)
      NODE_DISK.write(file, bytes)
    },
    setMode: (file, mode) => {
      step('setMode', ofFile(file))
      NODE_DISK.setMode(file, mode)
    },
    setOwner: (file, user, group) => {
      step('setOwner', ofFile(file))
      NODE_DISK.setOwner(file, user, group)
    },
    flush: (file) => {
      step('flush', ofFile(file))
      NODE_DISK.flush(file)
    },
    close: (file) => NODE_DISK.close(file),
    link: (from, to) => {
      step('link', `${from} ${to}`)
      NODE_DISK.link(from, to)
    },
    rename: (from, to) => {
      step('rename', `${from} ${to}`)
      NODE_DISK.rename(from, to)
    },
    unlink: (path) => {
      step('unlink', path)
      NODE_DISK.unlink(path)
    },
    mkdir: (path) => {
      step('mkdir', path)
      NODE_DISK.mkdir(path)
    },
    rmdir: (path) => {
      step('rmdir', path)
      NODE_DISK.rmdir(path)
    },
    flushFolder: (path) => {
      step('flushFolder', path)
      NODE_DISK.flushFolder(path)
    },
  }
}

export function createDiskError(code: string): Error {
  return Object.assign(new Error(`${code}: on purpose`), { code, syscall: 'test' })
}

/** It does nothing any more from this call on; what is half written stays so. */
export function dyingDisk(last: number): FailingDisk {
  return countingDisk((count, name, bytes, file) => {
    if (count < last) return
    if (count === last && name === 'write' && bytes !== null)
      NODE_DISK.write(file, bytes.subarray(0, bytes.length / 2))
    throw createDiskError('EIO')
  })
}

/** It refuses one call, and works again behind it. */
export function refusingDisk(at: number, code: string): FailingDisk {
  return countingDisk((count, name, bytes, file) => {
    if (count !== at) return
    if (name === 'write' && bytes !== null)
      NODE_DISK.write(file, bytes.subarray(0, bytes.length / 2))
    throw createDiskError(code)
  })
}
