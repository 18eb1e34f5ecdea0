/**
 * Brings the schema up to date, one transaction a step, forward only.
 *
 * Invariants:
 * 1. A store from a newer version is refused, not touched.
 * 2. A step that was applied is never another one under the same number: its checksum is kept.
 */
import type { DatabaseSync } from 'node:sqlite'
import { encodeHex, encodeUtf8, type Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import type { SqliteMigration } from './migrations/migration.ts'

export type Applied = { readonly number: number; readonly checksum: string }

/** Throws when the steps that a store has are not the first of ours. How many there are. */
export function checkMigrations(
  database: DatabaseSync,
  migrations: readonly SqliteMigration[],
  sha256: Sha256,
  path: string,
): number {
  const applied = readApplied(database)
  if (applied.length > migrations.length) {
    throw new StoreError(
      'STORE_NEWER',
      `store \`${path}\` was written by a newer version: schema ${applied.length}, ` +
        `this version knows ${migrations.length}`,
      'use that version or a later one; the store was not touched',
    )
  }
  for (const [i, { number, checksum }] of applied.entries()) {
    const migration = migrations[i]
    if (migration?.number === number && computeChecksum(migration, sha256) === checksum) continue
    throw new StoreError(
      'STORE_CORRUPT',
      `store \`${path}\`: schema step ${number} is not the one that this version has`,
      'it was changed, or comes from a build that was never released; restore a backup',
    )
  }
  return applied.length
}

export function migrate(
  database: DatabaseSync,
  migrations: readonly SqliteMigration[],
  sha256: Sha256,
): void {
  database.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT`)
  const done = readApplied(database).length
  const record = database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)')
  for (const migration of migrations.slice(done)) {
    database.exec('BEGIN IMMEDIATE')
    database.exec(migration.sql)
    record.run(migration.number, migration.name, computeChecksum(migration, sha256))
    database.exec('COMMIT')
  }
}

function readApplied(database: DatabaseSync): Applied[] {
  const rows = database
    .prepare('SELECT number, checksum FROM schema_migrations ORDER BY number')
    .all()
  return rows.map(parseApplied)
}

function parseApplied(row: Record<string, unknown>): Applied {
  return row as Applied
}

function computeChecksum(migration: SqliteMigration, sha256: Sha256): string {
  return encodeHex(sha256(encodeUtf8(migration.sql)))
}
