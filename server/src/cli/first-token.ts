/**
 * The token that a start has made. A terminal shows it to whoever sits there; any other output is kept and
 * read by others, so that the token goes into a file of its owner's alone.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Serving } from '../http/serve.ts'
import { isValidToken } from '../people/issue-token.ts'
import type { CommandStreams } from './output.ts'

export type HandedToken = {
  /** Null: none was made, or it is in the file. */
  readonly token: string | null
  /** Of this start or, where none was made, of an earlier one; null: there is none. */
  readonly token_file: string | null
  /** Where the console is; with the token only where it is shown. */
  readonly link: string
}

export function deliverToken(
  { token, name, link, url }: Serving,
  { stdout, stderr }: CommandStreams,
  state: string,
): HandedToken {
  const token_file = join(state, `${encodeURIComponent(name)}.token`)
  if (token === null)
    return { token, token_file: isValidFile(token_file, state) ? token_file : null, link }
  if (stdout.isTTY === true && stderr.isTTY === true) return { token, token_file: null, link }
  mkdirSync(state, { recursive: true, mode: 0o700 })
  // A file that is there keeps the rights that it has.
  rmSync(token_file, { force: true })
  writeFileSync(token_file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return { token: null, token_file, link: url }
}

/** Whether what an earlier start wrote there still is somebody's: a token may have been replaced or ended since. */
function isValidFile(file: string, state: string): boolean {
  try {
    return isValidToken(readFileSync(file, 'utf8').trim(), state)
  } catch {
    return false
  }
}
