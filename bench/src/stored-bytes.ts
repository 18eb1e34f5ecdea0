/** What a store takes on disk, and what keeps it from taking more than it needs. */
import { existsSync, statSync } from 'node:fs'
import pg from 'pg'
import { isPostgresAddress } from '../../runtime/src/ports/store-address.ts'

/** Of a file with its log, or of all tables with their indexes; null: it is in memory. */
export async function measureStoredBytes(store: string): Promise<number | null> {
  if (isPostgresAddress(store)) {
    const [row] = await query(store, TABLES)
    return Number(row?.bytes)
  }
  if (!store.startsWith('sqlite:')) return null
  const path = store.slice('sqlite:'.length)
  const files = [path, `${path}-wal`].filter((file) => existsSync(file))
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}

/** A server does it by itself, a minute after the next: a fill that plays a month in two has to ask for it. */
export async function runVacuum(store: string): Promise<void> {
  if (isPostgresAddress(store)) await query(store, 'VACUUM')
}

async function query(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const TABLES = `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`
