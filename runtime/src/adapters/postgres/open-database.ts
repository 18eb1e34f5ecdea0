/**
 * Opens the store: to work on it beside others, or to read.
 *
 * Invariants:
 * 1. Nothing is written before the store has been found to be ours and not newer than us.
 * 2. The server keeps what it acknowledges: one that does not sync to its disk is refused.
 * 3. A reader makes nothing, neither tables nor roles.
 */
import type { Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import { redactAddress } from '../../ports/store-address.ts'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { connect, type Dedicated, REACH_MS, Readers, type Target } from './connections.ts'
import { type EnginePlace, takePlace } from './engines.ts'
import { lockKey } from './locks.ts'
import { checkMigrations, migrate } from './migrate.ts'
import { storeError } from './postgres-error.ts'
import { prepareWriterRole } from './roles.ts'
import { parseFlag, parseNumber } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'
import { openWriter, type Writer } from './writer.ts'

export type PostgresOptions = {
  readonly address: string
  readonly tenant: string
  readonly sha256: Sha256
  readonly migrations: readonly SchemaStep[]
  readonly reachMs?: number
}

/** What a process needs to write; a reader has none of it. */
export type Working = { readonly writer: Writer; readonly place: EnginePlace }

export type OpenPostgres = {
  readonly readers: Readers
  readonly working: Working | null
}

/** Everything that we use is there from 13 on; tests run on what the machine has. */
const OLDEST_SERVER = 130_000

export async function openOwned(options: PostgresOptions): Promise<OpenPostgres> {
  const { address, tenant, sha256 } = options
  const target = toTarget(options, await prepareStore(options))
  let place: EnginePlace | undefined
  try {
    place = await takePlace({ target, tenant, sha256 })
    const writer = await openWriter(target)
    return { readers: new Readers(target, 'read'), working: { writer, place } }
  } catch (error) {
    await place?.release()
    throw storeError(error, address)
  }
}

export async function openReadOnlyDatabase(options: PostgresOptions): Promise<OpenPostgres> {
  const { address, migrations } = options
  const target = toTarget(options, null)
  await useConnection(target, 'read only', async (session) => {
    const steps = await checkMigrations(session, options)
    if (steps === 0) throw createMissingError(address)
    if (steps < migrations.length) throw createOutdatedError(address)
  })
  return { readers: new Readers(target, 'read only'), working: null }
}

/** Makes what is missing. The role to write as. Also how tests make stores of older schemas. */
export async function prepareStore(options: PostgresOptions): Promise<string | null> {
  const { address, sha256 } = options
  return useConnection(toTarget(options, null), 'write', async (session) => {
    await assertFit(session, address)
    await checkMigrations(session, options)
    // One process at a time; the lock ends with the connection.
    await session.run(LOCK_SCHEMA, lockKey('schema', '', '', sha256))
    await migrate(session, options)
    return prepareWriterRole(session)
  })
}

function toTarget({ address, reachMs = REACH_MS }: PostgresOptions, role: string | null): Target {
  return { address, role, reachMs }
}

async function useConnection<T>(
  target: Target,
  purpose: 'write' | 'read only',
  work: (session: DatabaseSession) => Promise<T>,
): Promise<T> {
  const connection: Dedicated = await connect(target, purpose)
  try {
    return await work(connection.session)
  } catch (error) {
    throw storeError(error, target.address)
  } finally {
    await connection.end()
  }
}

async function assertFit(session: DatabaseSession, address: string): Promise<void> {
  const [server] = await session.run(SERVER)
  const shown = redactAddress(address)
  if ((parseNumber(server, 'version') ?? 0) < OLDEST_SERVER) {
    throw new StoreError(
      'STORE_ERROR',
      `store \`${shown}\`: the server is too old`,
      'use 13 or later',
    )
  }
  if (!parseFlag(server, 'syncs')) {
    throw new StoreError(
      'STORE_ERROR',
      `store \`${shown}\`: the server runs with fsync off and would lose what it acknowledged`,
      'set fsync = on in postgresql.conf',
    )
  }
  if (parseFlag(server, 'read_only')) {
    throw new StoreError(
      'STORE_READ_ONLY',
      `store \`${shown}\`: the server only reads (a standby, or set so)`,
      'use the primary server, or open it for reading only',
    )
  }
}

function createMissingError(address: string): StoreError {
  return new StoreError(
    'STORE_MISSING',
    `store \`${redactAddress(address)}\` does not exist: nobody has written to this database yet`,
    'check the address; a store is created when it is first opened for writing',
  )
}

function createOutdatedError(address: string): StoreError {
  return new StoreError(
    'STORE_ERROR',
    `store \`${redactAddress(address)}\` was written by an older version, and a reader cannot bring ` +
      'it up to date',
    'open it once for writing with this version, or read it with the version that wrote it',
  )
}

const SERVER: NamedStatement = {
  name: 'server',
  text: `SELECT current_setting('server_version_num')::integer AS version,
    current_setting('fsync') = 'on' AS syncs,
    current_setting('transaction_read_only') = 'on' AS read_only`,
}
const LOCK_SCHEMA: NamedStatement = {
  name: 'lock_schema',
  text: 'SELECT pg_advisory_lock($1::bigint)',
}
