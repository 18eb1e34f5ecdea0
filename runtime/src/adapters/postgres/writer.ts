/**
 * The connection that writes. A lost one is replaced, and the new one can say what became of the
 * last batch of the old one.
 */
import { type Backend, connect, type Dedicated, reconnect, type Target } from './connections.ts'
import { parseNumber } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'

export class Writer {
  readonly #target: Target
  #connection: Dedicated

  constructor(connection: Dedicated, target: Target) {
    this.#connection = connection
    this.#target = target
  }

  /** A connection that is in no transaction. Throws when the server stays away. */
  async openSession(): Promise<DatabaseSession> {
    if (this.#connection.isLost) this.#connection = await reconnect(this.#target, 'write')
    return this.#connection.session
  }

  /** Leaves the transaction; a connection that cannot even do that is given up. */
  async leave(): Promise<void> {
    if (this.#connection.isLost) return
    try {
      await this.#connection.session.runScript('ROLLBACK')
    } catch {
      await this.#connection.end()
    }
  }

  /**
   * Whether the batch that got no answer is there. Its server process may still be at work, so it is
   * ended, and its lock on the engine's row waited for: afterwards the mark cannot change any more.
   */
  async isThere(batch: number, tenant: string, epoch: number): Promise<boolean> {
    const { backend } = this.#connection
    await this.#connection.end()
    this.#connection = await reconnect(this.#target, 'write')
    await endBackend(backend, this.#target)
    const [row] = await this.#connection.session.run(MARKED, tenant, epoch)
    return parseNumber(row, 'batch') === batch
  }

  end(): Promise<void> {
    return this.#connection.end()
  }
}

export async function openWriter(target: Target): Promise<Writer> {
  return new Writer(await connect(target, 'write'), target)
}

/** As ourselves: the role that writes may end nobody. Where it is not allowed, time limits do it. */
async function endBackend({ pid, started }: Backend, target: Target): Promise<void> {
  try {
    const connection = await connect({ ...target, role: null }, 'write')
    await connection.session.run(END_BACKEND, pid, started).catch(() => {})
    await connection.end()
  } catch {}
}

const END_BACKEND: NamedStatement = {
  name: 'backend_end',
  text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = $1::integer AND backend_start::text = $2`,
}
const MARKED: NamedStatement = {
  name: 'engine_marked',
  text: 'SELECT batch FROM engines WHERE tenant = $1 AND epoch = $2 FOR UPDATE',
}
