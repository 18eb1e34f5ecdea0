/** The calls of the file system that change something: a test ends the process, or fills the disk, at any of them. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'

export interface Disk {
  /** A file that was not there; through a link nothing is made. */
  create(path: string, mode: number): number
  write(file: number, bytes: Uint8Array): void
  setMode(file: number, mode: number): void
  setOwner(file: number, user: number, group: number): void
  flush(file: number): void
  close(file: number): void
  /** A name more for a file; never in place of another file. */
  link(from: string, to: string): void
  /** In place of what is there. */
  rename(from: string, to: string): void
  unlink(path: string): void
  mkdir(path: string): void
  rmdir(path: string): void
  /** A name that was changed is kept by its folder. */
  flushFolder(path: string): void
}

const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

export const NODE_DISK: Disk = {
  create: (path, mode) => openSync(path, FRESH, mode),
  write: (file, bytes) => writeFileSync(file, bytes),
  setMode: (file, mode) => fchmodSync(file, mode),
  setOwner: (file, user, group) => fchownSync(file, user, group),
  flush: (file) => fsyncSync(file),
  close: (file) => closeSync(file),
  link: (from, to) => linkSync(from, to),
  rename: (from, to) => renameSync(from, to),
  unlink: (path) => unlinkSync(path),
  mkdir: (path) => mkdirSync(path),
  rmdir: (path) => rmdirSync(path),
  flushFolder: (path) => {
    const folder = openSync(path, constants.O_RDONLY)
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  },
}

/** Whole and on the disk when this returns; nothing of it stays if it cannot be. */
export function createWholeFile(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  { mode, owner }: { readonly mode: number | null; readonly owner: FileOwner | null },
): void {
  // What has a mode gets it behind its bytes; until then they are for nobody else.
  const file = disk.create(path, mode === null ? 0o666 : 0o600)
  let isWhole = false
  try {
    disk.write(file, bytes)
    const isKept = owner === null || keepOwner(disk, file, owner)
    // Bits that give its owner's rights to others go with the owner.
    if (mode !== null) disk.setMode(file, isKept ? mode : mode & 0o777)
    disk.flush(file)
    isWhole = true
  } finally {
    disk.close(file)
    if (!isWhole) tryUnlink(disk, path)
  }
}

/** Behind another error, which is the one to tell of. */
function tryUnlink(disk: Disk, path: string): void {
  try {
    disk.unlink(path)
  } catch {
    // What is left is removed by whoever finds the journal.
  }
}

export type FileOwner = { readonly user: number; readonly group: number }

/** Only the administrator may give files away; others write what is theirs. */
function keepOwner(disk: Disk, file: number, { user, group }: FileOwner): boolean {
  if (process.getuid?.() === user && process.getgid?.() === group) return true
  try {
    disk.setOwner(file, user, group)
    return true
  } catch {
    return false
  }
}

/** What is not there any more is gone, whoever removed it. */
export function removeIfThere(remove: (path: string) => void, path: string): boolean {
  try {
    remove(path)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return false
    throw error
  }
}
