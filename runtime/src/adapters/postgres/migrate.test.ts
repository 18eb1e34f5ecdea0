import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { it } from 'node:test'
import { StoreError, type StoreErrorCode } from '../../ports/store.ts'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { MIGRATIONS } from './migrations/all.ts'
import { computeSha256 } from './open-at.ts'
import { openOwned, openReadOnlyDatabase, prepareStore } from './open-database.ts'
import {
  createEmptyDatabase,
  describeWithServer,
  getServer,
  open,
  parseDatabaseName,
} from './testing.ts'

const next: SchemaStep = {
  number: MIGRATIONS.length + 1,
  name: 'next',
  sql: "CREATE TABLE later (a text); INSERT INTO later VALUES ('1')",
}

const code = (expected: StoreErrorCode) => (error: unknown) => {
  equal(error instanceof StoreError && error.code, expected, String(error))
  return true
}

function options(address: string, migrations: readonly SchemaStep[] = MIGRATIONS) {
  return { address, tenant: 'acme', sha256: computeSha256, migrations }
}

async function openAndClose(address: string, migrations: readonly SchemaStep[]): Promise<number> {
  const { readers, working } = await openOwned(options(address, migrations))
  await working?.place.release()
  await working?.writer.end()
  await readers.end()
  return working?.place.epoch ?? 0
}

/** Everything that a schema consists of, in words. */
async function schemaOf(address: string): Promise<unknown> {
  const one = await getServer()
  const sql = (text: string) => one.query(parseDatabaseName(address), text)
  return [
    await sql(`SELECT table_name, column_name, data_type, is_nullable, collation_name
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`),
    await sql(`SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 2`),
    await sql(`SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1`),
    await sql(`SELECT tgname, tgenabled, pg_get_triggerdef(oid) AS def FROM pg_trigger ORDER BY 1`),
    await sql(`SELECT table_name, privilege_type FROM information_schema.role_table_grants
      WHERE grantee = 'rubicon_writer' ORDER BY 1, 2`),
    await sql('SELECT * FROM schema_migrations ORDER BY number'),
  ]
}

describeWithServer('migrations', () => {
  it('are numbered from 1 without gaps', () => {
    deepEqual(
      MIGRATIONS.map(({ number }) => number),
      MIGRATIONS.map((_, i) => i + 1),
    )
  })

  it('lead from every earlier schema to the one a new store has', async () => {
    const fresh = await createEmptyDatabase()
    await prepareStore(options(fresh))
    for (let length = 1; length <= MIGRATIONS.length; length += 1) {
      const address = await createEmptyDatabase()
      await prepareStore(options(address, MIGRATIONS.slice(0, length)))
      await prepareStore(options(address))
      deepEqual(await schemaOf(address), await schemaOf(fresh))
    }
  })

  it('keep what is stored', async () => {
    const address = await createEmptyDatabase()
    const store = await open(address)
    await store.commit({ guards: [], writes: [{ kind: 'count', id: 'c', by: 7 }] })
    await store.close()
    equal(await openAndClose(address, [...MIGRATIONS, next]), 2)
    const one = await getServer()
    deepEqual(await one.query(parseDatabaseName(address), 'SELECT used::integer FROM counters'), [
      { used: 7 },
    ])
    deepEqual(await one.query(parseDatabaseName(address), 'SELECT a FROM later'), [{ a: '1' }])
  })

  it('are done once, by whoever comes first', async () => {
    const address = await createEmptyDatabase()
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(address)))
    deepEqual(stores.map(({ epoch }) => epoch).sort(), [1, 2, 3, 4, 5, 6])
  })

  it('refuse a newer store and leave it as it is', async () => {
    const address = await createEmptyDatabase()
    await prepareStore(options(address, [...MIGRATIONS, next]))
    const before = await schemaOf(address)
    for (const openAs of [openOwned, openReadOnlyDatabase]) {
      await rejects(openAs(options(address)), code('STORE_NEWER'))
    }
    deepEqual(await schemaOf(address), before)
  })

  it('are not for readers: an older store says so', async () => {
    const address = await createEmptyDatabase()
    await prepareStore(options(address))
    await rejects(openReadOnlyDatabase(options(address, [...MIGRATIONS, next])), (error) => {
      match(String(error), /older version/)
      return code('STORE_ERROR')(error)
    })
  })

  it('refuse a store whose step is another one under the same number', async () => {
    const address = await createEmptyDatabase()
    await prepareStore(options(address, [...MIGRATIONS, next]))
    const changed = { ...next, sql: 'CREATE TABLE later (b text)' }
    await rejects(openOwned(options(address, [...MIGRATIONS, changed])), (error) => {
      match(String(error), new RegExp(`schema step ${next.number} `))
      return code('STORE_CORRUPT')(error)
    })
  })

  it('are applied whole or not at all', async () => {
    const address = await createEmptyDatabase()
    const broken = { ...next, sql: 'CREATE TABLE later (a text); INSERT INTO nowhere VALUES (1)' }
    await rejects(prepareStore(options(address, [...MIGRATIONS, broken])))
    await rejects(openReadOnlyDatabase(options(address)), code('STORE_MISSING'))
    await prepareStore(options(address, [...MIGRATIONS, next]))
  })

  it('touch no database that holds something else', async () => {
    const address = await createEmptyDatabase()
    const one = await getServer()
    await one.query(parseDatabaseName(address), 'CREATE TABLE flows (a text)')
    await rejects(open(address), /already exists/)
    await rejects(openReadOnlyDatabase(options(address)), code('STORE_MISSING'))
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    deepEqual(await one.query(parseDatabaseName(address), tables), [{ tablename: 'flows' }])
  })
})
