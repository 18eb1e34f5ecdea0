/**
 * Where the socket of a server is: in a private folder of the state directory, or, where that path is too long for a
 * socket, in a private folder of the user with a short name made from it.
 *
 * Never in a folder that all users share: whoever makes a folder there first would own it.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ensurePrivateFolder, isPrivateFolder } from './private-folder.ts'

/** The address of a Unix socket holds 104 bytes on macOS and 108 on Linux, the last of them zero. */
const LONGEST_PATH = 103
const HASH_LENGTH = 16

export function getSocketFolder(stateDirectory: string): string {
  return join(stateDirectory, 'run')
}

export type SocketUser = {
  readonly uid: number
  readonly env: NodeJS.ProcessEnv
  readonly home: string
}

/** Null: on Windows, where there are no such sockets. */
export function getSocketUser(): SocketUser | null {
  const uid = process.geteuid?.()
  return uid === undefined ? null : { uid, env: process.env, home: homedir() }
}

/** The path for a socket of that name, in a folder that is there and private; null: there is none. */
export function prepareSocketPath(
  stateDirectory: string,
  name: string,
  user: SocketUser,
): string | null {
  const own = getSocketFolder(stateDirectory)
  if (!ensurePrivateFolder(own, user.uid)) return null
  if (isShortEnough(join(own, name))) return join(own, name)
  const hash = createHash('sha256').update(stateDirectory).digest('hex').slice(0, HASH_LENGTH)
  for (const base of listShortFolders(user)) {
    const folder = join(base, hash)
    if (!isShortEnough(join(folder, name)) || !ensurePrivateFolder(base, user.uid)) continue
    if (ensurePrivateFolder(folder, user.uid)) return join(folder, name)
  }
  return null
}

function listShortFolders({ uid, env, home }: SocketUser): readonly string[] {
  const runtime = env.XDG_RUNTIME_DIR
  const isOwn = runtime !== undefined && isPrivateFolder(runtime, [uid])
  return [...(isOwn ? [join(runtime, 'rubicon')] : []), join(home, '.rubicon-run')]
}

function isShortEnough(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_PATH
}
