/**
 * Looks at a store before anything is written to it, over a connection that cannot write: a damaged
 * file is evidence, and opening it for writing would already replay its log into it.
 */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { readFileSize, resolveReadLocation } from './files.ts'
import { checkMigrations } from './migrate.ts'
import { APPLICATION_ID, readPragma } from './pragmas.ts'
import { findSchemaProblem } from './schema.ts'
import { storeError } from './sqlite-error.ts'

export type Inspection = {
  readonly path: string
  readonly migrations: readonly SchemaStep[]
  readonly sha256: Sha256
  /** The caller owns the store: a missing clean mark then means that its last owner died. */
  readonly owned: boolean
}

/** A file up to this size is checked at every open; it takes some milliseconds. */
const SMALL_BYTES = 16 * 1024 * 1024

export function inspectStore({ path, migrations, sha256, owned }: Inspection): void {
  if (statSync(path).isDirectory())
    throw new StoreError(
      'STORE_ERROR',
      `store \`${path}\` is a folder`,
      `name the file in it, as in \`sqlite:${path}/rubicon.db\``,
    )
  if (readFileSize(path) === 0) throw createCorruptError(path, 'the file is empty')
  const database = new DatabaseSync(resolveReadLocation(path), {
    open: false,
    readOnly: true,
    timeout: 5000,
  })
  try {
    database.open()
    if (readPragma(database, 'application_id') !== APPLICATION_ID) {
      throw createCorruptError(path, 'it is a database, but not a rubicon store')
    }
    const steps = checkMigrations(database, migrations, sha256, path)
    if (!owned && steps < migrations.length) throw createOutdatedError(path)
    const wasClean = readFirstValue(database, "SELECT value FROM meta WHERE key = 'clean'") === 1
    if ((owned && !wasClean) || readFileSize(path) <= SMALL_BYTES) runQuickCheck(database, path)
    // Who only reads is shown what is there: it is evidence.
    const taken = steps === migrations.length ? migrations : migrations.slice(0, steps)
    const changed = owned ? findSchemaProblem(database, taken, sha256) : null
    if (changed !== null) throw createCorruptError(path, changed)
  } catch (error) {
    throw storeError(error, path)
  } finally {
    if (database.isOpen) database.close()
  }
}

function runQuickCheck(database: DatabaseSync, path: string): void {
  const found = readPragma(database, 'quick_check(1)')
  if (found !== 'ok') throw createCorruptError(path, String(found))
}

function readFirstValue(database: DatabaseSync, sql: string): unknown {
  const row = database.prepare(sql).get()
  return row === undefined ? undefined : Object.values(row)[0]
}

function createOutdatedError(path: string): StoreError {
  return new StoreError(
    'STORE_ERROR',
    `store \`${path}\` was written by an older version, and a reader cannot bring it up to date`,
    'open it once for writing with this version, or read it with the version that wrote it',
  )
}

function createCorruptError(path: string, why: string): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `store \`${path}\`: ${why}`,
    'it was not touched; keep it as evidence and restore a backup, or choose another path',
  )
}
