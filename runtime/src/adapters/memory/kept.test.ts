import { equal, rejects, throws } from 'node:assert/strict'
import { hash } from 'node:crypto'
import { it } from 'node:test'
import { storeConformance } from '../../ports/store.conformance.ts'
import { type Store, StoreError, type Unit } from '../../ports/store.ts'
import { keepMemory, openKeptMemory } from './kept.ts'

const COUNT: Unit = { guards: [], writes: [{ kind: 'count', id: 'c', by: 1 }] }

function open(
  address: string,
  mode: 'own' | 'read' = 'own',
  { tenant = 'acme', clock = (): number => 0 } = {},
): Store {
  const sha256 = (data: Uint8Array | string) => hash('sha256', data, 'buffer')
  return openKeptMemory(address, { tenant, sha256, clock, mode })
}

function isFailure(code: string): (error: unknown) => boolean {
  return (error) => error instanceof StoreError && error.code === code
}

storeConformance('memory, kept', async ({ now }) => {
  let ms = now
  const { address } = keepMemory()
  const reopen = (): Store => open(address, 'own', { clock: () => ms })
  let store = reopen()
  return {
    store,
    async reopen() {
      await store.close()
      store = reopen()
      return store
    },
    clock: {
      set: (next) => {
        ms = next
      },
    },
  }
})

it('memory that is kept is never opened by two at once', async () => {
  const { address } = keepMemory()
  const first = open(address)
  throws(() => open(address), isFailure('STORE_LOCKED'))
  await first.close()
  await first.close()
  equal(open(address).epoch, 2)
})

it('who reads kept memory sees what its owner commits, and writes nothing', async () => {
  const { address } = keepMemory()
  throws(() => open(address, 'read'), isFailure('STORE_MISSING'))
  const owner = open(address)
  const reader = open(address, 'read')
  await owner.commit(COUNT)
  equal(await reader.readCounter('c'), 1)
  equal(reader.epoch, 0)
  await rejects(reader.commit(COUNT), isFailure('STORE_READ_ONLY'))
  await reader.close()
  throws(() => open(address), isFailure('STORE_LOCKED'))
})

it('who is cut off writes nothing more, and the next has what was committed before', async () => {
  const memory = keepMemory()
  const dead = open(memory.address)
  await dead.commit(COUNT)
  await memory.cutOff()
  const next = open(memory.address)
  await rejects(dead.commit(COUNT), isFailure('STORE_CLOSED'))
  await dead.close()
  throws(() => open(memory.address), isFailure('STORE_LOCKED'))
  equal(await next.readCounter('c'), 1)
})

it('an address that nobody keeps is no empty store', async () => {
  const memory = keepMemory()
  throws(() => open('memory:somewhere'), isFailure('STORE_MISSING'))
  const owner = open(memory.address)
  await memory.forget()
  await rejects(owner.readCounter('c'), isFailure('STORE_CLOSED'))
  throws(() => open(memory.address), isFailure('STORE_MISSING'))
})

it('tenants of kept memory do not see one another', async () => {
  const { address } = keepMemory()
  const one = open(address)
  await one.commit(COUNT)
  await one.close()
  const other = open(address, 'own', { tenant: 'other' })
  equal(await other.readCounter('c'), 0)
})
