/** What this adapter's tests share. */
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Sha256 } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { openSqliteStore, type SqliteStoreOptions } from './store.ts'

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-sqlite-'))
  folders.push(folder)
  return folder
}

export function temporaryPath(): string {
  return join(temporaryFolder(), 'rubicon.db')
}

export function clockAt(start: number): {
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

export function openAt(path: string, change: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const options = { tenant: 'acme', clock: () => 1_769_851_800_000, mode: 'own' as const }
  return openSqliteStore({ path, sha256, ...options, ...change })
}
