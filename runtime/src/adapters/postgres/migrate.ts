/**
 * Brings the schema up to date, forward only.
 *
 * Invariants:
 * 1. A store from a newer version is refused, not touched.
 * 2. A step that was applied is never another one under the same number: its checksum is kept.
 * 3. All missing steps are one transaction, and one process does it: the others wait for it.
 */
import { encodeHex, encodeUtf8, type Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import { redactAddress } from '../../ports/store-address.ts'
import type { PostgresMigration } from './migrations/migration.ts'
import { parseFlag, parseNumber, parseText, type Row } from './rows.ts'
import type { DatabaseSession } from './session.ts'

export type DatabaseSchema = {
  readonly address: string
  readonly migrations: readonly PostgresMigration[]
  readonly sha256: Sha256
}

type Applied = { readonly number: number; readonly checksum: string }

/** Throws when the steps that a store has are not the first of ours. How many there are. */
export async function checkMigrations(
  session: DatabaseSession,
  schema: DatabaseSchema,
): Promise<number> {
  const { migrations, sha256 } = schema
  const shown = redactAddress(schema.address)
  const applied = await readApplied(session)
  if (applied.length > migrations.length) {
    throw new StoreError(
      'STORE_NEWER',
      `store \`${shown}\` was written by a newer version: schema ${applied.length}, ` +
        `this version knows ${migrations.length}`,
      'use that version or a later one; the store was not touched',
    )
  }
  for (const [i, { number, checksum }] of applied.entries()) {
    const migration = migrations[i]
    if (migration?.number === number && computeChecksum(migration, sha256) === checksum) continue
    throw new StoreError(
      'STORE_CORRUPT',
      `store \`${shown}\`: schema step ${number} is not the one that this version has`,
      'it was changed, or comes from a build that was never released; restore a backup',
    )
  }
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
      await session.run(RECORD, number, name, computeChecksum(migration, sha256))
    }
    await session.commit()
  } catch (error) {
    await session.runScript('ROLLBACK').catch(() => {})
    throw error
  }
}

async function readApplied(session: DatabaseSession): Promise<readonly Applied[]> {
  const [row] = await session.run(EXISTS)
  return parseFlag(row, 'found') ? (await session.run(APPLIED)).map(parseApplied) : []
}

function parseApplied(row: Row): Applied {
  return { number: parseNumber(row, 'number') ?? 0, checksum: parseText(row, 'checksum') }
}

function computeChecksum(migration: PostgresMigration, sha256: Sha256): string {
  return encodeHex(sha256(encodeUtf8(migration.sql)))
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
