/**
 * Which processes work on a store, and which of them have ended.
 *
 * A process has an epoch and a row, and holds a lock on its epoch for as long as its connection
 * lives. The lock is only a sign of life; what counts is the row: every batch that a process writes
 * marks its row first, and who declares it dead waits for that. So a batch of a dead process is
 * either durable before it was declared dead, or never.
 *
 * Invariants:
 * 1. An epoch is one higher than ever before, and its lock is held before anybody can see its row.
 * 2. Only a process whose lock is free is declared dead, and never again alive.
 * 3. After a restart of the server all locks are free although everybody lives: for a while nobody
 *    is declared dead.
 */
import type { Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import { redactAddress } from '../../ports/store-address.ts'
import { connect, type Dedicated, type Readers, reconnect, type Target } from './connections.ts'
import { LOCK_EXCLUSIVE, lockKey } from './locks.ts'
import { encodeArray } from './parameters.ts'
import { parseFlag, parseNumber } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'

/** Time for processes to find a server again that was restarted. */
export const GRACE_MS = 5_000
/** Batches go on meanwhile; only a sign of life is missing. */
const RETAKE_MS = 500

export type PlaceOptions = {
  readonly target: Target
  readonly tenant: string
  readonly sha256: Sha256
}

/** A process among those that work on the store. */
export class EnginePlace {
  readonly epoch: number
  readonly #options: PlaceOptions
  #connection: Dedicated
  #isWanted = true
  #refusal: StoreError | undefined

  constructor(epoch: number, connection: Dedicated, options: PlaceOptions) {
    this.epoch = epoch
    this.#options = options
    this.#connection = connection
    this.#hold(connection)
  }

  /** Why this process may not write any more. */
  get refusal(): StoreError | undefined {
    return this.#refusal
  }

  /** Somebody declared it dead. */
  lose(): StoreError {
    this.#refusal ??= createLostPlaceError(this.#options.target.address)
    return this.#refusal
  }

  /** Says that it ends; when the server cannot be told, the free lock says it. */
  async release(): Promise<void> {
    this.#isWanted = false
    const { session } = this.#connection
    await session.run(END, this.#options.tenant, this.epoch).catch(() => {})
    await this.#connection.end()
  }

  #hold(connection: Dedicated): void {
    this.#connection = connection
    connection.addLostListener(() => void this.#recoverPlace())
  }

  /** The connection is gone, but as long as the row stands the place is ours. */
  async #recoverPlace(): Promise<void> {
    while (this.#isWanted && this.#refusal === undefined) {
      try {
        const connection = await reconnect(this.#options.target, 'place', () => this.#isWanted)
        if (await this.#confirmPlace(connection.session)) return this.#hold(connection)
        await connection.end()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETAKE_MS))
      }
    }
  }

  async #confirmPlace(session: DatabaseSession): Promise<boolean> {
    const { tenant, sha256 } = this.#options
    await session.run(LOCK_SESSION, lockKey('engine', tenant, this.epoch, sha256))
    const [row] = await session.run(STANDS, tenant, this.epoch)
    if (row === undefined) this.lose()
    return row !== undefined && this.#isWanted
  }
}

export async function takePlace(options: PlaceOptions): Promise<EnginePlace> {
  const { target, tenant, sha256 } = options
  const connection = await connect(target, 'place')
  try {
    const { session } = connection
    await session.runScript('BEGIN')
    await session.run(LOCK_EXCLUSIVE, lockKey('opening', tenant, '', sha256))
    const [row] = await session.run(NEXT, tenant)
    const epoch = parseNumber(row, 'epoch') ?? 1
    await session.run(LOCK_SESSION, lockKey('engine', tenant, epoch, sha256))
    await session.run(BEGIN_EPOCH, tenant, epoch)
    await session.commit()
    return new EnginePlace(epoch, connection, options)
  } catch (error) {
    await connection.end()
    throw error
  }
}

/**
 * Which of these have ended. Those that are found to have gone are declared dead, durably; without
 * a grace nobody is.
 */
export async function findEndedEpochs(
  epochs: readonly number[],
  own: number,
  readers: Readers,
  options: Omit<PlaceOptions, 'target'> & { readonly graceMs: number | null },
): Promise<readonly number[]> {
  const { tenant, graceMs } = options
  const others = [...new Set(epochs)].filter((epoch) => epoch !== own)
  if (others.length === 0) return []
  return readers.runOnce(async (session) => {
    const rows = await session.run(STANDING, tenant, encodeArray('bigint', others), graceMs)
    const standing = new Map(rows.map((row) => [parseNumber(row, 'epoch'), row]))
    const ended: number[] = []
    for (const epoch of others) {
      const row = standing.get(epoch)
      // A row that was never there, and never will be: epochs only grow.
      if (row === undefined && epoch < own) ended.push(epoch)
      if (row === undefined) continue
      if (parseFlag(row, 'ended')) ended.push(epoch)
      else if (parseFlag(row, 'may_end') && (await declareDead(epoch, session, options))) {
        ended.push(epoch)
      }
    }
    return ended
  })
}

async function declareDead(
  epoch: number,
  session: DatabaseSession,
  { tenant, sha256 }: Omit<PlaceOptions, 'target'>,
): Promise<boolean> {
  await session.runScript('BEGIN')
  const [row] = await session.run(TRY_LOCK, lockKey('engine', tenant, epoch, sha256))
  const isGone = parseFlag(row, 'taken')
  if (isGone) await session.run(END, tenant, epoch)
  await session.commit()
  return isGone
}

function createLostPlaceError(address: string): StoreError {
  return new StoreError(
    'STORE_ERROR',
    `store \`${redactAddress(address)}\`: another engine has declared this one dead`,
    'restart the process; the others reconcile what it had sent',
  )
}

/** Stays with the connection, whatever its transactions do. */
const LOCK_SESSION: NamedStatement = {
  name: 'lock_session',
  text: 'SELECT pg_advisory_lock($1::bigint)',
}
const TRY_LOCK: NamedStatement = {
  name: 'lock_try',
  text: 'SELECT pg_try_advisory_xact_lock($1::bigint) AS taken',
}
const NEXT: NamedStatement = {
  name: 'engine_next',
  text: 'SELECT coalesce(max(epoch), 0) + 1 AS epoch FROM engines WHERE tenant = $1',
}
const BEGIN_EPOCH: NamedStatement = {
  name: 'engine_begin',
  text: 'INSERT INTO engines (tenant, epoch) VALUES ($1, $2)',
}
const STANDS: NamedStatement = {
  name: 'engine_stands',
  text: 'SELECT 1 FROM engines WHERE tenant = $1 AND epoch = $2 AND ended_at IS NULL',
}
const STANDING: NamedStatement = {
  name: 'engines_standing',
  text: `SELECT epoch, ended_at IS NOT NULL AS ended,
      clock_timestamp() - pg_postmaster_start_time() >= $3::bigint * interval '1 ms' AS may_end
    FROM engines WHERE tenant = $1 AND epoch = ANY($2::bigint[])`,
}
const END: NamedStatement = {
  name: 'engines_end',
  text: `UPDATE engines SET ended_at = now()
    WHERE tenant = $1 AND epoch = $2 AND ended_at IS NULL`,
}
