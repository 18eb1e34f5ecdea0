import { deepEqual, equal } from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { type MakeStore, storeConformance } from '../../ports/store.conformance.ts'
import type { Store, Unit } from '../../ports/store.ts'
import { createMemoryStore, type MemoryStoreOptions } from './store.ts'
import { createTables, type Tables } from './tables.ts'

type Shared = MemoryStoreOptions['shared']

function opened(tables: Tables, epoch: number, shared: Shared, clock = () => 0): Store {
  return createMemoryStore({
    tenant: 'acme',
    sha256: (data) => hash('sha256', data, 'buffer'),
    clock,
    kept: { tables, epoch },
    ...(shared === undefined ? {} : { shared }),
  })
}

const reopening =
  (shared?: Shared): MakeStore =>
  async ({ now }) => {
    let ms = now
    const tables = createTables()
    const open = (epoch: number): Store => opened(tables, epoch, shared, () => ms)
    let store = open(1)
    const reopen = async () => {
      await store.close()
      store = open(store.epoch + 1)
      return store
    }
    const set = (next: number) => {
      ms = next
    }
    return { store, reopen, clock: { set } }
  }

storeConformance('memory', reopening())
storeConformance('memory, shared', reopening({ isGone: () => false }))

describe('memory that several engines share', () => {
  const naming = (epoch: number): Unit => ({
    guards: [{ kind: 'engine_epoch', epoch }],
    writes: [],
  })

  function pair() {
    const gone = new Set<number>()
    const tables = createTables()
    const shared = { isGone: (epoch: number) => gone.has(epoch) }
    return { gone, one: opened(tables, 1, shared), other: opened(tables, 2, shared) }
  }

  it('lets both write while both are there', async () => {
    const { one, other } = pair()
    equal(one.shared && other.shared, true)
    deepEqual(
      [await one.listEndedEpochs([1, 2, 3]), await other.listEndedEpochs([1, 2, 3])],
      [[], []],
    )
    equal((await one.commit(naming(1))).ok, true)
    equal((await other.commit(naming(1))).ok, true)
    await one.commit({ guards: [], writes: [{ kind: 'count', id: 'c', by: 2 }] })
    equal(await other.readCounter('c'), 2)
  })

  it('declares nobody dead until somebody asks, and then for good', async () => {
    const { gone, one, other } = pair()
    gone.add(1)
    equal((await one.commit(naming(1))).ok, true)
    deepEqual(await other.listEndedEpochs([1, 2]), [1])
    gone.clear()
    equal((await one.commit(naming(1))).ok, false)
    deepEqual(await other.listEndedEpochs([1]), [1])
    equal((await one.commit(naming(2))).ok, true)
  })

  it('does not let an engine declare itself dead', async () => {
    const { gone, one } = pair()
    gone.add(1)
    deepEqual(await one.listEndedEpochs([1]), [])
    equal((await one.commit(naming(1))).ok, true)
  })

  it('takes one that closed for ended, and one that nobody saw if it came before', async () => {
    const { one, other } = pair()
    await one.close()
    deepEqual(await other.listEndedEpochs([0, 1, 3]), [0, 1])
  })
})
