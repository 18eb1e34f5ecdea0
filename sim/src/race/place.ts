/** A store of its own for a proof, by name: in memory, in a file, or on a server that it starts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalServer } from '../../../runtime/src/adapters/postgres/local-server.ts'

export const STORES = ['memory', 'sqlite', 'postgres'] as const

export type StoreName = (typeof STORES)[number]

export type RacePlace = {
  /** What `createRuntime` takes as its store. */
  readonly address: string
  readonly stateDirectory: string
  close(): Promise<void>
}

export function isStoreName(text: string): text is StoreName {
  return STORES.some((name) => name === text)
}

export async function makePlace(store: StoreName): Promise<RacePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-race-'))
  const stateDirectory = join(folder, 'state')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  if (store === 'memory') return { address: 'memory', stateDirectory, close: async () => remove() }
  if (store === 'sqlite') {
    const address = `sqlite:${join(folder, 'race.db')}`
    return { address, stateDirectory, close: async () => remove() }
  }
  const server = await startLocalServer()
  await server.createDatabase('race')
  return {
    address: server.formatAddress('race'),
    stateDirectory,
    async close() {
      await server.remove()
      remove()
    },
  }
}
