/**
 * What this adapter's tests share: one server a process, a database a test. Where there is no
 * server, the tests are skipped loudly, and fail where CI counts on them.
 */
import { afterEach, before, describe, type SuiteContext } from 'node:test'
import type { Store } from '../../ports/store.ts'
import { findServer, type LocalServer, startLocalServer } from './local-server.ts'
import { MIGRATIONS } from './migrations/all.ts'
import { computeSha256, openTestStore } from './open-at.ts'
import { prepareStore } from './open-database.ts'
import type { PostgresStoreOptions } from './store-options.ts'

const TEMPLATE = 'rubicon_template'

const opened: Store[] = []
let running: Promise<LocalServer> | undefined
let databases = 0

/** A suite that needs a server. */
export function describeWithServer(name: string, body: (context: SuiteContext) => void): void {
  const skip = findServer() === null ? 'there is no Postgres server on this machine' : false
  describe(name, { skip }, (context) => {
    if (skip === false) {
      before(getServer)
      afterEach(async () => {
        await Promise.all(opened.splice(0).map((store) => store.close()))
      })
    }
    body(context as SuiteContext)
  })
}

/** Many files may share the process, and so the server: it ends with the process. */
export function getServer(): Promise<LocalServer> {
  running ??= start()
  return running
}

/** Opens a store that is closed after the test, if nobody did before. */
export async function open(
  address: string,
  change: Partial<PostgresStoreOptions> = {},
): Promise<Store> {
  const store = await openTestStore(address, change)
  opened.push(store)
  return store
}

/** A database in which a store has been made, but nothing written. */
export async function createFreshDatabase(): Promise<string> {
  const one = await getServer()
  databases += 1
  const name = `store_${databases}`
  await one.createDatabase(name, TEMPLATE)
  return one.formatAddress(name)
}

/** The name of the database behind an address. */
export function parseDatabaseName(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}

/** A database with nothing in it. */
export async function createEmptyDatabase(): Promise<string> {
  const one = await getServer()
  databases += 1
  const name = `empty_${databases}`
  await one.createDatabase(name)
  return one.formatAddress(name)
}

async function start(): Promise<LocalServer> {
  const one = await startLocalServer()
  await one.createDatabase(TEMPLATE)
  const address = one.formatAddress(TEMPLATE)
  await prepareStore({ address, tenant: 'acme', sha256: computeSha256, migrations: MIGRATIONS })
  return one
}
