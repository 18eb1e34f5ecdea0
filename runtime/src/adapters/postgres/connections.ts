/**
 * The connections of a store: one that writes, one that shows that this process lives, and a few
 * that read.
 */
import { Socket } from 'node:net'
import { Client, Pool } from 'pg'
import { StoreError } from '../../ports/store.ts'
import { isUrgent } from '../../ports/urgent.ts'
import { isAway, storeError } from './postgres-error.ts'
import { columnTypes, DatabaseSession } from './session.ts'

/** A server that is there answers within this; beyond it somebody would wait for nothing. */
const CONNECT_MS = 5_000
/** How long a lost server is looked for: a crash and its recovery take a few seconds. */
export const REACH_MS = 20_000
const REACH_EVERY_MS = 100
/** A batch writes some hundred rows: past this the server hangs. */
const WRITE_MS = 15_000
/** Longest wait for a lock. Batches take milliseconds, so this means that somebody hangs. */
const LOCK_MS = 10_000
/** A process that stops between BEGIN and COMMIT holds the authority lock: not longer than this. */
const IDLE_IN_TRANSACTION_MS = 5_000
/** The largest reads are pages of a thousand entries. */
const READ_MS = 30_000
/** Readers of one process; with the writer, the place, one for what is urgent and a rare reconnection: up to nine. */
const READERS = 5
const URGENT_READERS = 1
const READER_IDLE_MS = 30_000
/** A host that vanished is noticed after 10 + 3 * 5 seconds, by either side. */
const KEEP_ALIVE_MS = 10_000
const KEEP_ALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`

/** We look rows up by key or read pages along an index; a new plan for each time is a waste. */
const BY_KEY = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;
  SET enable_bitmapscan = off`

export type Purpose = 'write' | 'place' | 'read' | 'read only'

export type Target = {
  readonly address: string
  /** The role that writes, where there is one. */
  readonly role: string | null
  readonly reachMs: number
}

/** Which server process serves a connection, so that it can be ended from another. */
export type Backend = { readonly pid: number; readonly started: string }

/** A connection of its own. */
export class Dedicated {
  readonly session: DatabaseSession
  readonly #client: Client
  readonly #listeners: (() => void)[] = []
  #backend: Backend = { pid: 0, started: '' }
  #isLost = false

  constructor(target: Target) {
    const socket = new Socket()
    const client = new Client({ ...toClientConfig(target), stream: () => socket })
    this.#client = client
    this.session = new DatabaseSession(client, socket)
    client.on('error', () => this.#lose())
    client.on('end', () => this.#lose())
  }

  get backend(): Backend {
    return this.#backend
  }

  get isLost(): boolean {
    return this.#isLost
  }

  addLostListener(listener: () => void): void {
    if (this.#isLost) listener()
    else this.#listeners.push(listener)
  }

  async prepare(settings: string): Promise<void> {
    await this.#client.connect()
    // Before the role is changed: who is another sees nothing of the session.
    const [row] = await this.session.run({ name: 'backend', text: BACKEND })
    this.#backend = { pid: Number(row?.pid), started: String(row?.started) }
    await this.session.runScript(settings)
  }

  async end(): Promise<void> {
    this.#listeners.length = 0
    await this.#client.end().catch(() => {})
  }

  #lose(): void {
    if (this.#isLost) return
    this.#isLost = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

export async function connect(target: Target, purpose: Purpose): Promise<Dedicated> {
  const dedicated = new Dedicated(target)
  try {
    await dedicated.prepare(buildSettings(target, purpose))
    return dedicated
  } catch (error) {
    await dedicated.end()
    throw storeError(error, target.address)
  }
}

/** Looks for a server that went away, for a while. */
export async function reconnect(
  target: Target,
  purpose: Purpose,
  isWanted: () => boolean = () => true,
): Promise<Dedicated> {
  const until = performance.now() + target.reachMs
  for (;;) {
    try {
      return await connect(target, purpose)
    } catch (error) {
      const isOver = performance.now() > until || !isWanted()
      if (isOver || !(error instanceof StoreError && isAway(error.cause))) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, REACH_EVERY_MS))
  }
}

export class Readers {
  readonly #pool: Pool
  /** Connected when somebody needs it, who waits behind no other. */
  readonly #urgent: Pool
  readonly #target: Target

  constructor(target: Target, purpose: 'read' | 'read only') {
    this.#target = target
    this.#pool = createPool(target, purpose, READERS)
    this.#urgent = createPool(target, purpose, URGENT_READERS)
  }

  /** Reads, and reads again when the connection turns out to be gone. */
  async read<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T> {
    const until = performance.now() + this.#target.reachMs
    for (let wait = 0; ; wait = REACH_EVERY_MS) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        const isOver = performance.now() > until
        if (isOver || !isAway(error)) throw storeError(error, this.#target.address)
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }

  /** For what must not be done twice. */
  async runOnce<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work)
    } catch (error) {
      throw storeError(error, this.#target.address)
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#urgent.end()])
  }

  async #attempt<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T> {
    const client = await (isUrgent() ? this.#urgent : this.#pool).connect()
    const hear = (): void => {}
    client.on('error', hear)
    let broken = false
    try {
      return await work(new DatabaseSession(client))
    } catch (error) {
      // Whatever went wrong, the next one gets a connection that is in no transaction.
      broken = true
      throw error
    } finally {
      client.off('error', hear)
      client.release(broken)
    }
  }
}

function createPool(target: Target, purpose: 'read' | 'read only', max: number): Pool {
  const pool = new Pool({
    ...toClientConfig(target),
    max,
    idleTimeoutMillis: READER_IDLE_MS,
    onConnect: async (client) => {
      await client.query(buildSettings(target, purpose))
    },
  })
  // A connection that is lost while nobody uses it is replaced by the next who needs one.
  pool.on('error', () => {})
  return pool
}

function toClientConfig({ address }: Target) {
  return {
    connectionString: address,
    fallback_application_name: 'rubicon',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
    types: columnTypes,
  }
}

function buildSettings({ role }: Target, purpose: Purpose): string {
  const reads = purpose === 'read' || purpose === 'read only'
  const settings = [
    KEEP_ALIVE,
    `SET statement_timeout = ${reads ? READ_MS : WRITE_MS}`,
    `SET lock_timeout = ${LOCK_MS}`,
    `SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
    BY_KEY,
    // An answer means durable, whatever the server does by default.
    `SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') = 'off'`,
  ]
  if (purpose === 'read only') settings.push('SET default_transaction_read_only = on')
  else if (role !== null) settings.push(`SET ROLE ${role}`)
  return settings.join('; ')
}

const BACKEND = `SELECT pid, backend_start::text AS started
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`
