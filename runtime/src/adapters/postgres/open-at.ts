/** Opens stores for this adapter's tests, also in processes that are not tests themselves. */
import { hash } from 'node:crypto'
import type { Sha256 } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { openPostgresStore } from './store.ts'
import type { PostgresStoreOptions } from './store-options.ts'

export const computeSha256: Sha256 = (data) => hash('sha256', data, 'buffer')

export function createClock(start: number): {
  readonly now: () => number
  readonly set: (ms: number) => void
} {
  let ms = start
  return {
    now: () => ms,
    set: (next) => {
      ms = next
    },
  }
}

export function openTestStore(
  address: string,
  change: Partial<PostgresStoreOptions> = {},
): Promise<Store> {
  const options = { tenant: 'acme', clock: () => 1_769_851_800_000, mode: 'own' as const }
  return openPostgresStore({
    address,
    sha256: computeSha256,
    graceMs: 0,
    clockIsServers: true,
    ...options,
    ...change,
  })
}
