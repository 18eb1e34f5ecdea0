/** A store by its address, to own it or to read it. */
import { resolve } from 'node:path'
import { openKeptMemory } from './adapters/memory/kept.ts'
import { createMemoryStore } from './adapters/memory/store.ts'
import { openSqliteStore } from './adapters/sqlite/store.ts'
import { systemClock } from './adapters/system/clock.ts'
import { sha256 } from './adapters/system/sha256.ts'
import type { Clock } from './ports/clock.ts'
import type { RowVouching } from './ports/row-mac.ts'
import type { Store } from './ports/store.ts'
import { isMemoryAddress, isPostgresAddress, redactAddress } from './ports/store-address.ts'
import { RubiconError } from './rubicon-error.ts'

function findSqliteFile(address: string): string | null {
  const scheme = 'sqlite:'
  return address.startsWith(scheme) ? resolve(address.slice(scheme.length)) : null
}

export function createStoreReader(
  address: string,
  tenant: string,
  clock: Clock | undefined,
): (vouching: RowVouching) => Promise<Store> {
  return (vouching) => openStore(address, tenant, clock, 'read', vouching)
}

/** Opens a store by its address; to read, it must exist and may be in use. */
export async function openStore(
  address: string,
  tenant: string,
  given?: Clock,
  mode: 'own' | 'read' = 'own',
  vouching: RowVouching = {},
): Promise<Store> {
  const own = given ?? systemClock
  const readClock = (): number => own.now()
  const readMonotonic = (): number => own.monotonic()
  const inMemory = { tenant, sha256, clock: readClock, monotonic: readMonotonic }
  if (address === 'memory') return createMemoryStore(inMemory)
  if (isMemoryAddress(address)) return openKeptMemory(address, { ...inMemory, mode })
  const path = findSqliteFile(address)
  const common = { tenant, sha256, clock: readClock, mode, ...vouching }
  if (path !== null) return openSqliteStore({ ...common, path, monotonic: readMonotonic })
  if (isPostgresAddress(address)) {
    // Its driver is loaded by who needs it.
    const { openPostgresStore } = await import('./adapters/postgres/store.ts')
    return openPostgresStore({ ...common, address, clockIsServers: given !== undefined })
  }
  throw new RubiconError({
    code: 'STORE_ADDRESS',
    summary: `\`${redactAddress(address)}\` is not a store`,
    fix: 'use sqlite:PATH, postgres://user:password@host:port/database or memory',
  })
}
