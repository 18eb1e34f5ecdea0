/**
 * Writes a store in which nothing has happened yet.
 *
 * To carry out the steps of the schema takes longer than everything else that opening does, and they make the same file
 * every time. So a process carries them out once, and writes the bytes from then on.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Sha256 } from 'rubicon-kernel'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { migrate } from './migrate.ts'
import { OWE_NONE } from './owed-pass.ts'
import { APPLICATION_ID, PAGE_BYTES, setWriterPragmas } from './pragmas.ts'

const made = new WeakMap<readonly SchemaStep[], Uint8Array>()

/** Into a file that exists, durably. */
export function writeEmptyStore(
  path: string,
  migrations: readonly SchemaStep[],
  sha256: Sha256,
): void {
  const known = made.get(migrations)
  if (known !== undefined) {
    writeFileSync(path, known, { flush: true })
    return
  }
  buildEmptyStore(path, migrations, sha256)
  // What SQLite could not move out of its log is not in the file.
  if (!existsSync(`${path}-wal`)) made.set(migrations, readFileSync(path))
}

function buildEmptyStore(path: string, migrations: readonly SchemaStep[], sha256: Sha256): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA application_id = ${APPLICATION_ID}`)
    setWriterPragmas(database, path)
    migrate(database, migrations, sha256)
    if (migrations.length > 0) database.exec(OWE_NONE)
  } finally {
    database.close()
  }
}
