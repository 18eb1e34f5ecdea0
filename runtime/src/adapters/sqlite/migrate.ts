/**
 * Brings the schema up to date, one transaction a step, forward only; what a store has is checked before (`schema-steps.ts`).
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Sha256 } from 'rubicon-kernel'
import {
  type AppliedStep,
  checkAppliedSteps,
  computeStepChecksum,
  type SchemaStep,
} from '../unit/schema-steps.ts'

/** Throws when the steps that a store has are not the first of ours. How many there are. */
export function checkMigrations(
  database: DatabaseSync,
  migrations: readonly SchemaStep[],
  sha256: Sha256,
  path: string,
): number {
  const applied = readApplied(database)
  checkAppliedSteps(applied, migrations, path, sha256)
  return applied.length
}

export function migrate(
  database: DatabaseSync,
  migrations: readonly SchemaStep[],
  sha256: Sha256,
): void {
  database.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT`)
  const done = readApplied(database).length
  const record = database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)')
  for (const migration of migrations.slice(done)) {
    database.exec('BEGIN IMMEDIATE')
    database.exec(migration.sql)
    record.run(migration.number, migration.name, computeStepChecksum(migration, sha256))
    database.exec('COMMIT')
  }
}

function readApplied(database: DatabaseSync): AppliedStep[] {
  const rows = database
    .prepare('SELECT number, checksum FROM schema_migrations ORDER BY number')
    .all()
  return rows.map(parseApplied)
}

function parseApplied(row: Record<string, unknown>): AppliedStep {
  return row as AppliedStep
}
