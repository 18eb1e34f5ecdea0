/**
 * Group commit: units that arrive while others are being written share the next transaction, and
 * with it one wait for the disk.
 *
 * Invariants:
 * 1. A unit is answered after its transaction is durable, never before (S1).
 * 2. Units run in the order of arrival, each seeing the ones before it (S2); those that end authority go
 *    before what waits.
 * 3. A transaction that fails fails all its units; nothing of them is remembered (S5).
 * 4. After an I/O error nobody knows what reached the disk, so the queue takes no more units: who
 *    opens the store again reads what is there.
 * 5. Where somebody else has written to the file, nothing is written any more: what was read since the start
 *    may be his, and what is remembered may not be there.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import { StoreError, type Unit, type UnitOutcome } from '../../ports/store.ts'
import { createClosedError } from '../unit/closed.ts'
import { enqueue, isGoingFirst } from '../unit/stopping-unit.ts'
import { isIoError, isSqliteError, storeError } from './sqlite-error.ts'

type Waiting = {
  readonly unit: Unit
  readonly isFirst: boolean
  readonly resolve: (outcome: UnitOutcome) => void
  readonly reject: (error: unknown) => void
}

export type BatchWork = {
  /** Judges a unit and writes its rows. Throws what is wrong with this unit alone, before writing. */
  readonly apply: (unit: Unit) => UnitOutcome
  /** Writes what the batch saved up, before COMMIT. */
  readonly finish: () => void
  readonly settled: () => void
  readonly forget: () => void
}

/** What one fsync may carry. More would only make the first of them wait. */
const BATCH = 512

export class SqliteCommitQueue {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #work: BatchWork
  /** Another number after each commit of another connection, and of no other. */
  readonly #others: StatementSync
  readonly #seen: unknown
  #waiting: Waiting[] = []
  #scheduled = false
  #refusal: StoreError | undefined

  constructor(database: DatabaseSync, path: string, work: BatchWork) {
    this.#database = database
    this.#path = path
    this.#work = work
    this.#others = database.prepare('PRAGMA data_version')
    this.#seen = this.#others.get()?.data_version
  }

  push(unit: Unit): Promise<UnitOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#refusal !== undefined) return reject(this.#refusal)
      enqueue(this.#waiting, { unit, isFirst: isGoingFirst(unit), resolve, reject })
      this.#schedule()
    })
  }

  /** Writes what waits, and takes no more. */
  close(): void {
    while (this.#waiting.length > 0) this.#flush()
    this.#refusal = createClosedError()
  }

  /** One transaction of its own, between batches. */
  runAlone(write: () => void): void {
    if (this.#refusal !== undefined) throw this.#refusal
    try {
      this.#runTransaction(write)
    } catch (error) {
      throw this.#handleFailure(error)
    }
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }

  #flush(): void {
    const batch = this.#waiting.splice(0, BATCH)
    if (batch.length === 0) return
    try {
      if (this.#refusal !== undefined) throw this.#refusal
      const answers = this.#write(batch)
      for (const answer of answers) answer()
    } catch (error) {
      const failure = this.#handleFailure(error)
      for (const { reject } of batch) reject(failure)
    }
  }

  /** The answers, to be given only once the transaction is durable. */
  #write(batch: readonly Waiting[]): (() => void)[] {
    const answers: (() => void)[] = []
    this.#runTransaction(() => {
      for (const waiting of batch) answers.push(this.#answer(waiting))
      this.#work.finish()
    })
    this.#work.settled()
    return answers
  }

  #answer({ unit, resolve, reject }: Waiting): () => void {
    try {
      const outcome = this.#work.apply(unit)
      return () => resolve(outcome)
    } catch (error) {
      if (isSqliteError(error) || error instanceof UnitHalfWritten) throw error
      return () => reject(error)
    }
  }

  #runTransaction(write: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      this.#assertAlone()
      write()
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  #assertAlone(): void {
    if (this.#others.get()?.data_version === this.#seen) return
    this.#refusal = new HeadMismatch(
      'somebody else has written to it',
      null,
      'in the file of its owner',
      'keep the store as evidence, find who writes to it, and start again: a start compares what it finds',
    )
    throw this.#refusal
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    } catch (error) {
      this.#refusal = storeError(error, this.#path)
    }
  }

  #handleFailure(error: unknown): StoreError {
    this.#work.forget()
    const cause = error instanceof UnitHalfWritten ? error.cause : error
    const failure = storeError(cause, this.#path)
    if (isIoError(cause)) {
      this.#refusal = new StoreError(
        'STORE_ERROR',
        `store \`${this.#path}\`: it stopped after an input/output error`,
        'check the disk, then start again: what was acknowledged is kept',
        cause,
      )
    }
    return failure
  }
}

/** A write of a judged unit failed: rows of it may be in the transaction, which must not commit. */
export class UnitHalfWritten extends Error {
  constructor(cause: unknown) {
    super('a unit could not be written', { cause })
  }
}
