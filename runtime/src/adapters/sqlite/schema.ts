/**
 * What the file says that tables are, and what it does by itself. A trigger, a view in the place of a table or
 * a default that somebody put there would change rows with our own hands, after they were found good.
 */
import { DatabaseSync } from 'node:sqlite'
import type { Sha256 } from 'rubicon-kernel'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { migrate } from './migrate.ts'

/** By kind and name, as it was written. */
type Schema = ReadonlyMap<string, string>

/** The first thing that these steps do not make; null: there is none. What is gone does nothing by itself. */
export function findSchemaProblem(
  database: DatabaseSync,
  migrations: readonly SchemaStep[],
  sha256: Sha256,
): string | null {
  const [is, ours] = [readSchema(database), deriveSchema(migrations, sha256)]
  for (const [name, text] of is)
    if (ours.get(name) !== text)
      return ours.has(name) ? `its ${name} was changed` : `its ${name} is none of ours`
  return null
}

/** It follows from the steps alone, and every store of a process is held against it when it is opened. */
const made = new WeakMap<readonly SchemaStep[], Schema>()

/** What these steps make of an empty file. */
function deriveSchema(migrations: readonly SchemaStep[], sha256: Sha256): Schema {
  const known = made.get(migrations)
  if (known !== undefined) return known
  const schema = makeSchema(migrations, sha256)
  made.set(migrations, schema)
  return schema
}

function makeSchema(migrations: readonly SchemaStep[], sha256: Sha256): Schema {
  const database = new DatabaseSync(':memory:')
  try {
    migrate(database, migrations, sha256)
    return readSchema(database)
  } finally {
    database.close()
  }
}

function readSchema(database: DatabaseSync): Schema {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all()
  return new Map(
    rows
      .map(({ type, name, tbl_name, sql }) => ({
        name: `${String(type)} \`${String(name)}\``,
        text: `${String(tbl_name)} ${String(sql)}`,
        isOwn: isOfSqlite(String(type), String(name), sql),
      }))
      .filter(({ isOwn }) => !isOwn)
      .map(({ name, text }) => [name, text]),
  )
}

/** The index behind a key, and what ANALYZE writes down. */
function isOfSqlite(type: string, name: string, sql: unknown): boolean {
  if (type === 'index') return sql === null && name.startsWith('sqlite_autoindex_')
  return type === 'table' && /^sqlite_(stat[14]|sequence)$/.test(name)
}
