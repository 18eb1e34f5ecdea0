/** What nearly every request asks first, asked by many at once. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { it } from 'node:test'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import { begin, commit } from '../../ports/conformance/fixture.ts'
import type { Store } from '../../ports/store.ts'
import { runUrgently } from '../../ports/urgent.ts'
import { RowCodes } from '../unit/row-codes.ts'
import { REACH_MS, Readers } from './connections.ts'
import { ServerTime } from './server-time.ts'
import type { DatabaseSession } from './session.ts'
import { SharedReads } from './shared-reads.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

const MANY = 300

/** Counts how often the server is asked, and can be made to wait. */
class CountingReaders extends Readers {
  asked = 0
  waitBefore = async (): Promise<void> => {}

  override async read<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T> {
    this.asked += 1
    await this.waitBefore()
    return super.read(work)
  }
}

type Place = {
  readonly reads: SharedReads
  readonly readers: CountingReaders
  readonly store: Store
}

async function withCounters(work: (place: Place) => Promise<void>): Promise<void> {
  const address = await createFreshDatabase()
  const store = await open(address)
  await begin(store)
  await commit(
    store,
    Array.from({ length: MANY }, (_, n) => ({ kind: 'count', id: `c${n}`, by: n }) as const),
  )
  const readers = new CountingReaders({ address, role: null, reachMs: REACH_MS }, 'read')
  const time = new ServerTime(() => Date.now(), false)
  const codes = new RowCodes(store.tenant, {})
  try {
    await work({ reads: new SharedReads(readers, store.tenant, time, codes), readers, store })
  } finally {
    await readers.end()
  }
}

/** What waits for the next turn is under way. */
async function turnTwice(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describeWithServer('reads that are asked for at once', () => {
  it('get each its own answer, in few round trips', () =>
    withCounters(async ({ reads, readers }) => {
      const numbers = Array.from({ length: MANY }, (_, n) => n)
      const [counted, times] = await Promise.all([
        Promise.all([...numbers, 'none'].map((n) => reads.readCounter(`c${n}`))),
        Promise.all(numbers.map((n) => reads.readNow(n % 2 === 0 ? MAIN : AUTHORITY))),
      ])
      deepEqual(counted, [...numbers, 0])
      equal(new Set(times.map(({ authority_seq }) => authority_seq)).size, 1)
      ok(readers.asked <= 3, `asked ${readers.asked} times`)
    }))

  it('read what is there when they ask, and nothing older', () =>
    withCounters(async ({ reads, readers, store }) => {
      const held = Promise.withResolvers<void>()
      readers.waitBefore = () => held.promise
      const first = reads.readCounter('c7')
      await turnTwice()
      // The round trip of the first is under way: who asks now is answered by the next.
      await commit(store, [{ kind: 'count', id: 'c8', by: 1 }])
      const second = reads.readCounter('c8')
      held.resolve()
      deepEqual(await Promise.all([first, second]), [7, 9])
      equal(readers.asked, 2)
    }))

  it('what is urgent waits behind no other', () =>
    withCounters(async ({ reads, readers }) => {
      const held = Promise.withResolvers<void>()
      readers.waitBefore = () => held.promise
      const waiting = reads.readCounter('c1')
      await turnTwice()
      readers.waitBefore = async () => {}
      equal(await runUrgently(() => reads.readCounter('c2')), 2)
      equal((await runUrgently(() => reads.readNow(MAIN))).authority_seq >= 0, true)
      held.resolve()
      equal(await waiting, 1)
    }))

  it('a server that is gone is told to all who asked', () =>
    withCounters(async ({ reads, readers }) => {
      readers.waitBefore = () => Promise.reject(new Error('gone'))
      const all = await Promise.allSettled([reads.readCounter('c1'), reads.readNow(MAIN)])
      deepEqual(
        all.map(({ status }) => status),
        ['rejected', 'rejected'],
      )
      readers.waitBefore = async () => {}
      equal(await reads.readCounter('c1'), 1)
    }))
})
