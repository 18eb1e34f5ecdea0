/**
 * What nearly every request asks first: how far time and authority have come, and what is counted. Those that ask while
 * others are being answered share the next round trip, so that it costs the server little more than one of them.
 *
 * Boundary: what is asked is read after it was asked, never before. What is urgent waits behind nobody.
 */
import { AUTHORITY } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { isUrgent } from '../../ports/urgent.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import { computeAuthorityTime } from '../unit/unit-time.ts'
import { buildLookup } from './bulk.ts'
import type { Readers } from './connections.ts'
import { encodeArray } from './parameters.ts'
import { COUNTER_COLUMNS, HEAD_COLUMNS, parseHead, parseText } from './rows.ts'
import type { ServerTime } from './server-time.ts'
import { awaitAll, type DatabaseSession } from './session.ts'

type Now = Awaited<ReturnType<Store['readNow']>>

type Asked<T> = {
  /** A trajectory, or the id of a counter. */
  readonly name: string
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

type Batch = { readonly times: readonly Asked<Now>[]; readonly counters: readonly Asked<number>[] }

/** So many of each are read at once; the others are the next. */
const AT_ONCE = 256

export class SharedReads {
  readonly #readers: Readers
  readonly #tenant: string
  readonly #time: ServerTime
  readonly #codes: RowCodes
  #times: Asked<Now>[] = []
  #counters: Asked<number>[] = []
  #running: Promise<void> | undefined

  constructor(readers: Readers, tenant: string, time: ServerTime, codes: RowCodes) {
    this.#readers = readers
    this.#tenant = tenant
    this.#time = time
    this.#codes = codes
  }

  /** Authority time, and how far authority has come. */
  readNow(trajectory: string): Promise<Now> {
    return new Promise((resolve, reject) => {
      const asked = { name: trajectory, resolve, reject }
      if (isUrgent()) return void this.#answer({ times: [asked], counters: [] })
      this.#times.push(asked)
      this.#running ??= this.#run()
    })
  }

  readCounter(id: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = { name: id, resolve, reject }
      if (isUrgent()) return void this.#answer({ times: [], counters: [asked] })
      this.#counters.push(asked)
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    // What is asked in the same turn goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#times.length + this.#counters.length > 0)
      await this.#answer({
        times: this.#times.splice(0, AT_ONCE),
        counters: this.#counters.splice(0, AT_ONCE),
      })
    this.#running = undefined
  }

  /** Answers all of them, with what was read or with what went wrong. */
  async #answer(batch: Batch): Promise<void> {
    const { times, counters } = batch
    try {
      const answers = await this.#readers.read((session) => this.#read(batch, session))
      for (const answer of answers) answer()
    } catch (error) {
      for (const { reject } of [...times, ...counters]) reject(error)
    }
  }

  /** How to answer each; given when everything was read. */
  async #read(
    { times, counters }: Batch,
    session: DatabaseSession,
  ): Promise<readonly (() => void)[]> {
    const [answerTimes, answerCounters] = await awaitAll([
      this.#readTimes(times, session),
      this.#readCounters(counters, session),
    ])
    return [...answerTimes, ...answerCounters]
  }

  async #readTimes(
    asked: readonly Asked<Now>[],
    session: DatabaseSession,
  ): Promise<readonly (() => void)[]> {
    if (asked.length === 0) return []
    const names = new Set([AUTHORITY, ...asked.map(({ name }) => name)])
    const [at, rows] = await awaitAll([
      this.#time.ask(session),
      session.run(HEADS, this.#tenant, encodeArray('text', [...names])),
    ])
    const heads = new Map(rows.map(parseHead).map((head) => [head.trajectory, head]))
    const authority_seq = heads.get(AUTHORITY)?.seq ?? -1
    return asked.map(({ name, resolve }) => {
      const now = computeAuthorityTime(at, (head) => heads.get(head), [name])
      return () => resolve({ now, authority_seq })
    })
  }

  async #readCounters(
    asked: readonly Asked<number>[],
    session: DatabaseSession,
  ): Promise<readonly (() => void)[]> {
    if (asked.length === 0) return []
    const ids = new Set(asked.map(({ name }) => name))
    const rows = await session.run(COUNTERS, this.#tenant, encodeArray('text', [...ids]))
    const found = new Map(rows.map((row) => [parseText(row, 'id'), row]))
    return asked.map(({ name, resolve, reject }) => () => {
      try {
        resolve(this.#codes.parseCounter(name, found.get(name)))
      } catch (error) {
        // A row that nobody vouches for spoils no other answer.
        reject(error)
      }
    })
  }
}

const HEADS = buildLookup('shared_heads', HEAD_COLUMNS, 'trajectories', { trajectory: 'text' })
const COUNTERS = buildLookup('shared_counters', COUNTER_COLUMNS, 'counters', { id: 'text' })
