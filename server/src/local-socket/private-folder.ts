/**
 * Folders that nobody but their owner can enter. Whoever can connect to a socket in one is its owner, or root.
 *
 * A folder is looked at by itself and never through a symbolic link: what a link points to, whoever made the link can
 * change.
 */
import { lstatSync, mkdirSync, type Stats } from 'node:fs'

const OWNER_ONLY = 0o700
const OTHERS = 0o077

/** `owners`: user ids that it may belong to. */
export function isPrivateFolder(path: string, owners: readonly number[]): boolean {
  const found = readStats(path)
  if (found === null || !found.isDirectory()) return false
  return (found.mode & OTHERS) === 0 && owners.includes(found.uid)
}

/** Makes it if nothing is there. False: it is somebody else's, open to others, or cannot be made. */
export function ensurePrivateFolder(path: string, owner: number): boolean {
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
  } catch {
    // Something is there already, or nothing can be: what counts is what is found now.
  }
  return isPrivateFolder(path, [owner])
}

/** Whose it is; null: nothing is there, or nobody may look. */
export function readOwner(path: string): number | null {
  return readStats(path)?.uid ?? null
}

function readStats(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
