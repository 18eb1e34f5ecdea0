/**
 * The Unix socket of a server: the way of verbs on this machine to it, without a token (`docs/decisions/0073-…`).
 *
 * S1 it is opened only where whoever can open it could sign with the key files beside it anyway. Where a passphrase
 *    seals them, or an agent or a signer elsewhere holds them, there is none.
 * S2 it serves one tenant, that of its state directory.
 * S3 a server that cannot have one says why and runs without.
 */
import { chmodSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { encodeHex, err, type Failure, ok, type Result } from 'rubicon-kernel'
import { normaliseStorePlace, type Runtime } from 'rubicon-runtime/compose'
import { removeStale, writeAnnouncement } from './announcement.ts'
import { isListening } from './socket-fetch.ts'
import { getSocketFolder, getSocketUser, prepareSocketPath } from './socket-path.ts'

const NAME_BYTES = 4
const OWNER_ONLY = 0o600

export type OpenSocket = { close(): Promise<void> }

/** Serves the routes on the socket at that path. */
export type ListenOnSocket = (path: string) => Promise<Result<OpenSocket, Failure>>

/** Null: it has none. */
export async function openSocket(
  runtime: Runtime,
  url: string,
  listen: ListenOnSocket,
): Promise<OpenSocket | null> {
  const { place, report, store } = runtime
  // What is in memory no verb can name.
  if (store.name === 'memory' || !place.hasPlainKeys) return null
  const opened = await openPrivately(runtime, url, listen)
  if (opened.ok) return opened.value
  report(`rubicon: no socket for verbs on this machine: ${opened.error.summary}`)
  return null
}

async function openPrivately(
  { place, engine }: Runtime,
  url: string,
  listen: ListenOnSocket,
): Promise<Result<OpenSocket, Failure>> {
  const user = getSocketUser()
  if (user === null) return err(createSocketFailure('there are none on this system'))
  const stateDirectory = resolve(place.stateDirectory)
  const { random, clock } = engine.context
  const name = encodeHex(random.bytes(NAME_BYTES))
  const path = prepareSocketPath(stateDirectory, `${name}.sock`, user)
  if (path === null) return err(createSocketFailure(describeNoFolder(stateDirectory)))
  await removeStale(stateDirectory, user, isListening)
  const started = await listen(path)
  if (!started.ok) return started
  const announcement = {
    store: normaliseStorePlace(place.store),
    tenant: place.tenant,
    socket: path,
    url,
    started_at: new Date(clock.now()).toISOString(),
  }
  try {
    chmodSync(path, OWNER_ONLY)
    const file = writeAnnouncement(stateDirectory, name, announcement)
    return ok({
      async close() {
        // Before the rest: whoever looks from now on finds no server.
        rmSync(file, { force: true })
        await started.value.close()
        rmSync(path, { force: true })
      },
    })
  } catch (error) {
    await started.value.close()
    return err(createSocketFailure(error instanceof Error ? error.message : String(error)))
  }
}

function describeNoFolder(stateDirectory: string): string {
  return `\`${getSocketFolder(stateDirectory)}\` is not a folder of this user alone, or its path is too long and no shorter one is private`
}

function createSocketFailure(summary: string): Failure {
  return { code: 'SOCKET_FAILED', summary }
}
