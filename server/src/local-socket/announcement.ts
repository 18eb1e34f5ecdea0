/**
 * A file for each server that runs on a store, in the private folder of the state directory: which store and tenant it
 * serves, and where its socket is. Several servers may share a store on Postgres; each has a file and a socket of its
 * own.
 *
 * A1 a file outside of a private folder, or one that names a socket outside of one, is not believed.
 * A2 what a server that crashed left behind is removed by the next one that starts, if its process is gone and nobody
 *    listens: nothing that is used is ever removed, and nothing that is no socket. Whoever runs a server on the state
 *    directory of somebody else, as root does, would otherwise remove for them any file that they name.
 */
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject, type JsonValue, parseJson } from 'rubicon-kernel'
import { isPrivateFolder, readOwner } from './private-folder.ts'
import { getSocketFolder, type SocketUser } from './socket-path.ts'

export type Announcement = {
  /** Address of the store, without a password. */
  readonly store: string
  readonly tenant: string
  /** Path of the Unix socket. */
  readonly socket: string
  /** Where people find its console; of a server that did not say, empty. */
  readonly url: string
  readonly pid: number
  readonly host: string
  readonly started_at: string
}

export type FoundAnnouncement = Announcement & { readonly file: string }

const SUFFIX = '.json'
const OWNER_ONLY = 0o600

/** Written aside and renamed: nobody reads half of it. */
export function writeAnnouncement(
  stateDirectory: string,
  name: string,
  said: Omit<Announcement, 'pid' | 'host'>,
): string {
  const file = join(getSocketFolder(stateDirectory), `${name}${SUFFIX}`)
  const whole: Announcement = { ...said, pid: process.pid, host: hostname() }
  writeFileSync(`${file}.new`, `${JSON.stringify(whole, null, 2)}\n`, { mode: OWNER_ONLY })
  renameSync(`${file}.new`, file)
  return file
}

/** Those that can be believed, the last that started first. */
export function listAnnouncements(
  stateDirectory: string,
  { uid }: Pick<SocketUser, 'uid'>,
): readonly FoundAnnouncement[] {
  const folder = getSocketFolder(stateDirectory)
  // Whoever owns the state directory has the keys: they need no false socket to do harm.
  const owners = [uid, readOwner(stateDirectory) ?? uid]
  if (!isPrivateFolder(folder, owners)) return []
  return listFiles(folder)
    .flatMap((file) => readAnnouncement(file) ?? [])
    .filter(({ socket }) => isPrivateFolder(dirname(socket), owners))
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
}

/** `isListening`: whether somebody answers at a socket. */
export async function removeStale(
  stateDirectory: string,
  user: Pick<SocketUser, 'uid'>,
  isListening: (socket: string) => Promise<boolean>,
): Promise<void> {
  for (const { file, socket } of await listStale(stateDirectory, user, isListening)) {
    if (isSocket(socket)) rmSync(socket, { force: true })
    rmSync(file, { force: true })
  }
}

/** Those whose process is gone, and at whose socket nobody listens. */
export async function listStale(
  stateDirectory: string,
  user: Pick<SocketUser, 'uid'>,
  isListening: (socket: string) => Promise<boolean>,
): Promise<readonly FoundAnnouncement[]> {
  const stale: FoundAnnouncement[] = []
  for (const found of listAnnouncements(stateDirectory, user)) {
    const { socket, pid, host } = found
    // Of another machine, or of another container, nobody here knows whether its process is there.
    if (host !== hostname() || isAlive(pid) || (await isListening(socket))) continue
    stale.push(found)
  }
  return stale
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX))
    return names.map((name) => join(folder, name))
  } catch {
    return []
  }
}

function readAnnouncement(file: string): FoundAnnouncement | null {
  try {
    const read = parseJson(readFileSync(file))
    const said = read.ok ? parseAnnouncement(read.value) : null
    return said === null ? null : { ...said, file }
  } catch {
    // Removed meanwhile, by the server that wrote it.
    return null
  }
}

function parseAnnouncement(value: JsonValue): Announcement | null {
  if (!isObject(value)) return null
  const { store, tenant, socket, pid, host, started_at } = value
  if (typeof store !== 'string' || typeof tenant !== 'string') return null
  if (typeof socket !== 'string' || typeof host !== 'string') return null
  if (typeof pid !== 'number' || typeof started_at !== 'string') return null
  const url = typeof value.url === 'string' ? value.url : ''
  return { store, tenant, socket, url, pid, host, started_at }
}
