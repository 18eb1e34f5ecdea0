/** A fresh place for each scenario on each store. What was started for it ends with `close`. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepMemory, RubiconError } from 'rubicon-runtime/compose'
import { GRACE_MS } from '../../runtime/src/adapters/postgres/engines.ts'
import {
  findServer,
  type LocalServer,
  startLocalServer,
} from '../../runtime/src/adapters/postgres/local-server.ts'
import type { StageOptions, StageStore } from '../../server/src/demo/stage.ts'
import { NO_POSTGRES } from './no-postgres.ts'

export type FreshPlace = Pick<StageOptions, 'store' | 'tenant'> & { giveBack(): Promise<void> }

export type Places = {
  makePlace(store: StageStore): Promise<FreshPlace>
  close(): Promise<void>
}

export function openPlaces(environment: NodeJS.ProcessEnv = process.env): Places {
  let server: Promise<LocalServer> | null = null
  let databases = 0
  const named = environment.RUBICON_POSTGRES ?? ''
  const startServer = (): Promise<LocalServer> => {
    if (findServer() === null) throw new RubiconError(NO_POSTGRES)
    server ??= startServerPastGrace()
    return server
  }
  const makeDatabase = async (): Promise<FreshPlace> => {
    // A database that somebody named may hold more than this: a tenant of its own.
    if (named !== '') return { store: named, tenant: `scenario-${randomUUID()}`, giveBack }
    const running = await startServer()
    databases += 1
    const name = `scenario_${databases}`
    await running.createDatabase(name)
    return { store: running.formatAddress(name), giveBack }
  }
  return {
    async makePlace(store) {
      if (store === 'postgres') return makeDatabase()
      if (store === 'sqlite') return { giveBack }
      const memory = keepMemory()
      return { store: memory, giveBack: () => memory.forget() }
    },
    async close() {
      if (server !== null) await (await server).remove()
    },
  }
}

/** Right after a start of the server nobody is declared dead, and a scenario in which somebody dies would go on too early. */
async function startServerPastGrace(): Promise<LocalServer> {
  const server = await startLocalServer()
  await sleep(GRACE_MS)
  return server
}

/** What is in the folder of the stage goes with the folder, and a database with its server. */
async function giveBack(): Promise<void> {}
