/** Files that are there whole or not at all, whenever somebody pulls the plug. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CliFailure } from '../failure.ts'

export const PRIVATE = 0o600

/** Null: it is not there. */
export function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** In place of what is there. Through a link nothing is written: what it leads to is somebody else's. */
export function replaceWhole(file: string, text: string, mode: number = PRIVATE): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new CliFailure({
      code: 'MCP_FILE_LINK',
      summary: `${file} is a symbolic link`,
      why: 'what is written here is written into a file of its own',
      fix: 'replace the link by a file, or name another place',
    })
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true })
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
  flushFolder(dirname(file))
}

/** Where nothing is: what is there stays, and is a failure. */
export function createWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: PRIVATE, flush: true })
    linkSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  flushFolder(dirname(file))
}

/** A name that was changed is kept by its folder. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
