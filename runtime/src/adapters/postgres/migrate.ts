/**
 * Brings the schema up to date, forward only; what a store has is checked before (`schema-steps.ts`).
 *
 * Invariant: all missing steps are one transaction, and one process does it: the others wait for it.
 */
import type { Sha256 } from 'rubicon-kernel'
import { redactAddress } from '../../ports/store-address.ts'
import {
  type AppliedStep,
  checkAppliedSteps,
  computeStepChecksum,
  type SchemaStep,
} from '../unit/schema-steps.ts'
import { parseFlag, parseNumber, parseText, type Row } from './rows.ts'
import type { DatabaseSession } from './session.ts'

export type DatabaseSchema = {
  readonly address: string
  readonly migrations: readonly SchemaStep[]
  readonly sha256: Sha256
}

/** Throws when the steps that a store has are not the first of ours. How many there are. */
export async function checkMigrations(
  session: DatabaseSession,
  schema: DatabaseSchema,
): Promise<number> {
  const { migrations, sha256 } = schema
  const applied = await readApplied(session)
  checkAppliedSteps(applied, migrations, redactAddress(schema.address), sha256)
  return applied.length
}

/** The caller holds the lock of the schema. */
export async function migrate(session: DatabaseSession, schema: DatabaseSchema): Promise<void> {
  const { migrations, sha256 } = schema
  const done = await checkMigrations(session, schema)
  if (done === migrations.length) return
  await session.runScript('BEGIN')
  try {
    await session.runScript(`CREATE TABLE IF NOT EXISTS schema_migrations (
      number bigint PRIMARY KEY, name text NOT NULL, checksum text NOT NULL)`)
    for (const migration of migrations.slice(done)) {
      await session.runScript(migration.sql)
      const { number, name } = migration
      await session.run(RECORD, number, name, computeStepChecksum(migration, sha256))
    }
    await session.commit()
  } catch (error) {
    await session.runScript('ROLLBACK').catch(() => {})
    throw error
  }
}

async function readApplied(session: DatabaseSession): Promise<readonly AppliedStep[]> {
  const [row] = await session.run(EXISTS)
  return parseFlag(row, 'found') ? (await session.run(APPLIED)).map(parseApplied) : []
}

function parseApplied(row: Row): AppliedStep {
  return { number: parseNumber(row, 'number') ?? 0, checksum: parseText(row, 'checksum') }
}

const EXISTS = {
  name: 'migrations_exist',
  text: `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
}
const APPLIED = {
  name: 'migrations_applied',
  text: 'SELECT number, checksum FROM schema_migrations ORDER BY number',
}
const RECORD = {
  name: 'migrations_record',
  text: 'INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)',
}
