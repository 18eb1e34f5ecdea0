/**
 * The disk of one process. It is full now and then, and the process dies between two calls of it, or in the middle of a write; from
 * then on it changes nothing.
 *
 * Nothing is flushed: what a machine loses that loses its power is tried elsewhere (`artifacts/src/files`), and flushing takes longest.
 */
import { type Disk, NODE_DISK } from 'rubicon-artifacts/files'
import type { SimProcess } from '../process.ts'
import type { Faults } from '../swarm.ts'

/** `looked`: somebody reads the files in the middle of a write, or when it has ended there. */
export function createStormDisk(process: SimProcess, faults: Faults, looked: () => void): Disk {
  /** `half`: what may have happened of it when the process dies there. */
  const step = <T>(call: () => T, half: () => void = () => {}): T => {
    if (!process.alive) throw createDiskError('EIO')
    if (faults.drawFault('disk_dies')) {
      half()
      void process.simulateCrash('between two calls of the disk')
      looked()
      throw createDiskError('EIO')
    }
    if (faults.drawFault('disk_full')) {
      half()
      looked()
      throw createDiskError('ENOSPC')
    }
    return call()
  }
  const { create, write, setMode, setOwner, close, link, rename, unlink, mkdir, rmdir } = NODE_DISK
  return {
    create: (path, mode) => step(() => create(path, mode)),
    write: (file, bytes) => {
      const middle = Math.floor(bytes.length / 2)
      const writeHalf = (): void => write(file, bytes.subarray(0, middle))
      step(() => {
        writeHalf()
        looked()
        write(file, bytes.subarray(middle))
      }, writeHalf)
    },
    setMode: (file, mode) => step(() => setMode(file, mode)),
    setOwner: (file, user, group) => step(() => setOwner(file, user, group)),
    flush: () => step(() => {}),
    // A process that has ended has let go of its files.
    close,
    link: (from, to) => step(() => link(from, to)),
    rename: (from, to) => step(() => rename(from, to)),
    unlink: (path) => step(() => unlink(path)),
    mkdir: (path) => step(() => mkdir(path)),
    rmdir: (path) => step(() => rmdir(path)),
    flushFolder: () => step(() => {}),
  }
}

function createDiskError(code: 'EIO' | 'ENOSPC'): Error {
  return Object.assign(new Error(`${code}: the storm`), { code, syscall: 'storm' })
}
