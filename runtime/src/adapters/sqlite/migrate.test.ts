import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { StoreError, type StoreErrorCode } from '../../ports/store.ts'
import { MIGRATIONS } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import { openAt, sha256 } from './open-at.ts'
import { createStore, openForReading, openOwned } from './open-database.ts'
import { temporaryPath } from './testing.ts'

const next: Migration = {
  number: MIGRATIONS.length + 1,
  name: 'next',
  sql: 'CREATE TABLE later (a TEXT); INSERT INTO later VALUES (1)',
}

const code = (expected: StoreErrorCode) => (error: unknown) => {
  equal(error instanceof StoreError && error.code, expected, String(error))
  return true
}

describe('migrations', () => {
  it('are numbered from 1 without gaps, and a released one never changes', () => {
    deepEqual(
      MIGRATIONS.map(({ number }) => number),
      MIGRATIONS.map((_, i) => i + 1),
    )
  })

  it('lead from every earlier schema to the one a new store has', () => {
    const fresh = temporaryPath()
    openOwned({ path: fresh, sha256, migrations: MIGRATIONS }).close()
    for (let length = 1; length <= MIGRATIONS.length; length += 1) {
      const path = temporaryPath()
      createStore({ path, sha256, migrations: MIGRATIONS.slice(0, length) })
      openOwned({ path, sha256, migrations: MIGRATIONS }).close()
      deepEqual(schemaOf(path), schemaOf(fresh))
    }
  })

  it('keep what is stored', async () => {
    const path = temporaryPath()
    const store = await openAt(path)
    await store.commit({ guards: [], writes: [{ kind: 'count', id: 'c', by: 7 }] })
    await store.close()
    const later = openOwned({ path, sha256, migrations: [...MIGRATIONS, next] })
    equal(later.epoch, 2)
    deepEqual({ ...later.database.prepare('SELECT used FROM counters').get() }, { used: 7 })
    deepEqual({ ...later.database.prepare('SELECT a FROM later').get() }, { a: '1' })
    later.close()
  })

  it('refuse a newer store and leave it as it is', () => {
    const path = temporaryPath()
    createStore({ path, sha256, migrations: [...MIGRATIONS, next] })
    const before = readFileSync(path)
    for (const open of [openOwned, openForReading]) {
      throws(() => open({ path, sha256, migrations: MIGRATIONS }), code('STORE_NEWER'))
    }
    equal(before.equals(readFileSync(path)), true)
  })

  it('are not for readers: an older store says so', () => {
    const path = temporaryPath()
    createStore({ path, sha256, migrations: MIGRATIONS })
    const migrations = [...MIGRATIONS, next]
    throws(
      () => openForReading({ path, sha256, migrations }),
      (error) => {
        match(String(error), /older version/)
        return code('STORE_ERROR')(error)
      },
    )
  })

  it('refuse a store whose step is another one under the same number', () => {
    const path = temporaryPath()
    createStore({ path, sha256, migrations: [...MIGRATIONS, next] })
    const changed = { ...next, sql: 'CREATE TABLE later (b TEXT)' }
    const before = readFileSync(path)
    throws(
      () => openOwned({ path, sha256, migrations: [...MIGRATIONS, changed] }),
      (error) => {
        match(String(error), new RegExp(`schema step ${next.number} `))
        return code('STORE_CORRUPT')(error)
      },
    )
    equal(before.equals(readFileSync(path)), true)
  })

  it('apply a step whole or not at all', () => {
    const path = temporaryPath()
    createStore({ path, sha256, migrations: MIGRATIONS })
    const broken = { ...next, sql: 'CREATE TABLE later (a TEXT); INSERT INTO nowhere VALUES (1)' }
    throws(() => openOwned({ path, sha256, migrations: [...MIGRATIONS, broken] }))
    openOwned({ path, sha256, migrations: [...MIGRATIONS, next] }).close()
  })
})

function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
  const steps = database.prepare('SELECT * FROM schema_migrations').all()
  database.close()
  return [...rows, ...steps]
}
