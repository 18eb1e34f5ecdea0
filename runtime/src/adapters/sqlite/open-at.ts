/** Opens stores for this adapter's tests, also in processes that are not tests themselves. */
import { hash } from 'node:crypto'
import type { Sha256 } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { openSqliteStore } from './store.ts'
import type { SqliteStoreOptions } from './store-options.ts'

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
  path: string,
  change: Partial<SqliteStoreOptions> = {},
): Promise<Store> {
  const options = { tenant: 'acme', clock: () => 1_769_851_800_000, mode: 'own' as const }
  return openSqliteStore({ path, sha256: computeSha256, ...options, ...change })
}
