/**
 * Memory that lasts longer than the runtime that wrote it: the next one in this process opens the same. It is to a
 * runtime in memory what a file is to one on SQLite: one owner at a time, and what was committed stays.
 */
import { StoreError } from '../../ports/store.ts'
import { createMemoryStore, type MemoryStoreOptions } from './store.ts'
import { createTables, ensure, type Tables } from './tables.ts'

const SCHEME = 'memory:'

export type KeptMemory = {
  /** What `createRuntime` takes as its store, in this process alone. */
  readonly address: string
  /** Whoever has it open writes and reads nothing more, as if its process had been killed. */
  cutOff(): Promise<void>
  /** What it holds is gone. */
  forget(): Promise<void>
}

type Owned = ReturnType<typeof createMemoryStore>

type Memory = {
  readonly tenants: Map<string, Tables>
  /** How often it was opened to be written to. */
  epoch: number
  owner: Owned | null
}

type OpenOptions = Omit<MemoryStoreOptions, 'kept' | 'shared' | 'closed'> & {
  readonly mode: 'own' | 'read'
}

const kept = new Map<string, Memory>()
let made = 0

export function keepMemory(): KeptMemory {
  made += 1
  const address = `${SCHEME}${made}`
  const memory: Memory = { tenants: new Map(), epoch: 0, owner: null }
  kept.set(address, memory)
  const cutOff = async (): Promise<void> => memory.owner?.close()
  return {
    address,
    cutOff,
    async forget() {
      kept.delete(address)
      await cutOff()
    },
  }
}

/** A name that nobody keeps is no new memory: it would be an empty ledger where somebody expects a full one. */
export function openKeptMemory(address: string, options: OpenOptions): Owned {
  const memory = kept.get(address)
  if (memory === undefined) throw createMissingError(address)
  if (options.mode === 'read') return openToRead(address, memory, options)
  if (memory.owner !== null) throw createOwnedError(address)
  memory.epoch += 1
  const tables = ensure(memory.tenants, options.tenant, createTables)
  const release = (): void => {
    memory.owner = null
  }
  const store = createMemoryStore({
    ...options,
    kept: { tables, epoch: memory.epoch },
    closed: release,
  })
  memory.owner = store
  return store
}

function openToRead(address: string, { tenants }: Memory, options: OpenOptions): Owned {
  const tables = tenants.get(options.tenant)
  if (tables === undefined) throw createMissingError(address)
  return createMemoryStore({ ...options, kept: { tables, epoch: 0 } })
}

function createMissingError(address: string): StoreError {
  return new StoreError(
    'STORE_MISSING',
    `this process keeps nothing under \`${address}\``,
    'use `memory` for one of its own, or the address that `keepMemory` gives, in the same process',
  )
}

function createOwnedError(address: string): StoreError {
  return new StoreError(
    'STORE_LOCKED',
    `store \`${address}\` is in use by another runtime of this process`,
    'close that runtime first, or open the store read-only',
  )
}
