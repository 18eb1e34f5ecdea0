/**
 * Group commit: units that arrive while others are being written share the next transaction, and
 * with it one wait for the disk.
 *
 * Invariants:
 * 1. A unit is answered after its transaction is durable, never before (S1).
 * 2. Units run in the order of arrival, each seeing the ones before it (S2); those that end authority go
 *    before what waits.
 * 3. A transaction that fails leaves nothing behind (S5). When it lost a race, or its connection
 *    before the COMMIT, it is tried again; else it is halved, so that one unit that the server does
 *    not take costs the others nothing.
 * 4. When no answer to a COMMIT came, nobody guesses: the store is asked whether the batch is there.
 */
import { AUTHORITY } from 'rubicon-kernel'
import { StoreError, type Unit, type UnitOutcome } from '../../ports/store.ts'
import { redactAddress } from '../../ports/store-address.ts'
import { createClosedError } from '../unit/closed.ts'
import { enqueue, isGoingFirst } from '../unit/stopping-unit.ts'
import { type BatchContext, CommitUnknown, runBatch, type UnitAnswer } from './batch.ts'
import { isAway, isRace, storeError } from './postgres-error.ts'
import type { Writer } from './writer.ts'

type Waiting = {
  readonly unit: Unit
  readonly isFirst: boolean
  readonly resolve: (outcome: UnitOutcome) => void
  readonly reject: (error: unknown) => void
}

/** What one fsync may carry. More would only make the first of them wait. */
const BATCH_UNITS = 256
/** Guards and writes of a batch: each may be a lock, and the server has room for some thousands. */
const BATCH_PARTS = 1_536
/** How often a batch is tried that lost a race or a connection. */
const ATTEMPTS = 8

export class PostgresCommitQueue {
  readonly #writer: Writer
  readonly #context: BatchContext
  readonly #address: string
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #batch = 0
  #refusal: StoreError | undefined

  constructor(writer: Writer, context: BatchContext, address: string) {
    this.#writer = writer
    this.#context = context
    this.#address = address
  }

  push(unit: Unit): Promise<UnitOutcome> {
    return new Promise((resolve, reject) => {
      const { place, tree } = this.#context
      const refusal = this.#refusal ?? place.refusal ?? tree.damage
      if (refusal !== undefined) return reject(refusal)
      enqueue(this.#waiting, { unit, isFirst: isGoingFirst(unit), resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Writes what waits, and takes no more. */
  async close(): Promise<void> {
    this.#refusal = createClosedError()
    await this.#running
  }

  async #run(): Promise<void> {
    // What arrives in the same turn goes together.
    await new Promise((resolve) => setImmediate(resolve))
    let batch: readonly Waiting[] = takeBatch(this.#waiting)
    let writing = this.#write(listUnits(batch))
    for (;;) {
      const written = batch
      const answers = await settleWriting(writing)
      if (!answers.ok) await this.#fail(written, answers.error)
      // The next batch is on its way before those of this one go on: the server works while they do.
      batch = takeBatch(this.#waiting)
      if (batch.length > 0) writing = this.#write(listUnits(batch))
      if (answers.ok) tell(written, answers.answers)
      if (batch.length === 0) break
    }
    this.#running = undefined
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    const written = await settleWriting(this.#write(listUnits(batch)))
    if (written.ok) tell(batch, written.answers)
    else await this.#fail(batch, written.error)
  }

  async #fail(batch: readonly Waiting[], error: unknown): Promise<void> {
    const failure = storeError(error, this.#address)
    const isForAll = isAway(failure.cause) || failure === this.#context.place.refusal
    if (batch.length > 1 && !isForAll) {
      const half = batch.length >> 1
      await this.#settle(batch.slice(0, half))
      return this.#settle(batch.slice(half))
    }
    for (const { reject } of batch) reject(failure)
    // Who waits behind would only wait for the same.
    if (isForAll) for (const { reject } of this.#waiting.splice(0)) reject(failure)
  }

  async #write(units: readonly Unit[]): Promise<readonly UnitAnswer[]> {
    for (let attempt = 1; ; attempt += 1) {
      const session = await this.#writer.openSession()
      this.#batch += 1
      try {
        return await runBatch(units, this.#batch, session, this.#context)
      } catch (error) {
        if (error instanceof CommitUnknown) {
          const isThere = await this.#isThere()
          this.#context.tree.own.markEnded(error.seal, isThere)
          if (isThere) return error.answers
        } else {
          await this.#writer.leave()
          if (!isRace(error) && !isAway(error)) throw error
        }
        if (attempt === ATTEMPTS) throw error
      }
    }
  }

  async #isThere(): Promise<boolean> {
    const { tenant, place } = this.#context
    try {
      return await this.#writer.isThere(this.#batch, tenant, place.epoch)
    } catch (error) {
      throw createUnknownOutcomeError(
        error instanceof StoreError ? error.cause : error,
        this.#address,
      )
    }
  }
}

function listUnits(batch: readonly Waiting[]): readonly Unit[] {
  return batch.map(({ unit }) => unit)
}

type Written =
  | { readonly ok: true; readonly answers: readonly UnitAnswer[] }
  | { readonly ok: false; readonly error: unknown }

function settleWriting(writing: Promise<readonly UnitAnswer[]>): Promise<Written> {
  return writing.then(
    (answers) => ({ ok: true, answers }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  )
}

function tell(batch: readonly Waiting[], answers: readonly UnitAnswer[]): void {
  for (const [i, { resolve, reject }] of batch.entries()) {
    const answer = answers[i]
    if (answer?.ok) resolve(answer.outcome)
    else reject(answer?.error)
  }
}

function createUnknownOutcomeError(cause: unknown, address: string): StoreError {
  return new StoreError(
    'STORE_ERROR',
    `store \`${redactAddress(address)}\`: there was no answer to a COMMIT, and the server stays away`,
    'whether the last units are there is not known; when the server is back, the store knows',
    cause,
  )
}

/** From the front; units that change the law are not mixed with those that rely on it. */
function takeBatch(waiting: Waiting[]): readonly Waiting[] {
  const first = waiting[0]
  const isLaw = first !== undefined && isAppendingAuthority(first.unit)
  let parts = 0
  let length = 0
  for (const { unit, isFirst } of waiting) {
    parts += unit.guards.length + unit.writes.length
    const isFull = length === BATCH_UNITS || (parts > BATCH_PARTS && length > 0)
    // What goes first waits for nothing that does not.
    if (isFull || isAppendingAuthority(unit) !== isLaw || isFirst !== first?.isFirst) break
    length += 1
  }
  return waiting.splice(0, length)
}

function isAppendingAuthority({ writes }: Unit): boolean {
  return writes.some((write) => 'trajectory' in write && write.trajectory === AUTHORITY)
}
