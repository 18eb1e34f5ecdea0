import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import {
  begin,
  buildNote,
  buildWorldCommit,
  buildWrit,
  commit,
  putExecution,
  putFlow,
  toDfid,
} from '../../ports/conformance/fixture.ts'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { type Store, StoreError, type StoreErrorCode } from '../../ports/store.ts'
import type { SchemaStep } from '../unit/schema-steps.ts'
import { MIGRATIONS } from './migrations/all.ts'
import { computeSha256, openTestStore } from './open-at.ts'
import { createStore, openOwned, openReadOnlyDatabase } from './open-database.ts'
import { createTemporaryPath } from './testing.ts'

const next: SchemaStep = {
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
    const fresh = createTemporaryPath()
    openOwned({ path: fresh, sha256: computeSha256, migrations: MIGRATIONS }).close()
    for (let length = 1; length <= MIGRATIONS.length; length += 1) {
      const path = createTemporaryPath()
      createStore({ path, sha256: computeSha256, migrations: MIGRATIONS.slice(0, length) })
      openOwned({ path, sha256: computeSha256, migrations: MIGRATIONS }).close()
      deepEqual(schemaOf(path), schemaOf(fresh))
    }
  })

  it('keep what is stored', async () => {
    const path = createTemporaryPath()
    const store = await openTestStore(path)
    await store.commit({ guards: [], writes: [{ kind: 'count', id: 'c', by: 7 }] })
    await store.close()
    const later = openOwned({ path, sha256: computeSha256, migrations: [...MIGRATIONS, next] })
    equal(later.epoch, 2)
    deepEqual({ ...later.database.prepare('SELECT used FROM counters').get() }, { used: 7 })
    deepEqual({ ...later.database.prepare('SELECT a FROM later').get() }, { a: '1' })
    later.close()
  })

  it('bring a store of schema 2 to 3, with every row that it had', async () => {
    const [newer, path] = [createTemporaryPath(), createTemporaryPath()]
    const source = await openTestStore(newer)
    await fill(source)
    const { flows, ...others } = await everything(source)
    // A schema without the column has flows that never expire.
    const expires_at = '9999-12-31T23:59:59.999Z'
    const before = { ...others, flows: flows.map((flow) => ({ ...flow, expires_at })) }
    await source.close()
    createStore({ path, sha256: computeSha256, migrations: MIGRATIONS.slice(0, 2) })
    copyRows(newer, path)
    equal(namesIn(path).includes('records'), false)

    const store = await openTestStore(path)
    deepEqual(await everything(store), before)
    equal(await store.readRecord('agent_state', 'agents', 'trader'), null)
    const body = { value: 1, updated_at: 'x' }
    const ref = { record: 'agent_state', group: 'agents', key: 'trader' } as const
    equal(
      (await commit(store, [buildNote(MAIN, 9), { kind: 'put_record', ...ref, body }])).ok,
      true,
    )
    deepEqual((await store.readRecord('agent_state', 'agents', 'trader'))?.body, body)
    await store.integrate()
    assertChained(await store.listLeaves(0, 100))
    await store.close()
    deepEqual(
      ['records', 'context_state', 'resource_locks'].filter(
        (name) => !namesIn(path).includes(name),
      ),
      [],
    )
  })

  it('refuse a newer store and leave it as it is', () => {
    const path = createTemporaryPath()
    createStore({ path, sha256: computeSha256, migrations: [...MIGRATIONS, next] })
    const before = readFileSync(path)
    for (const open of [openOwned, openReadOnlyDatabase]) {
      throws(
        () => open({ path, sha256: computeSha256, migrations: MIGRATIONS }),
        code('STORE_NEWER'),
      )
    }
    equal(before.equals(readFileSync(path)), true)
  })

  it('are not for readers: an older store says so', () => {
    const path = createTemporaryPath()
    createStore({ path, sha256: computeSha256, migrations: MIGRATIONS })
    const migrations = [...MIGRATIONS, next]
    throws(
      () => openReadOnlyDatabase({ path, sha256: computeSha256, migrations }),
      (error) => {
        match(String(error), /older version/)
        return code('STORE_ERROR')(error)
      },
    )
  })

  it('refuse a store whose step is another one under the same number', () => {
    const path = createTemporaryPath()
    createStore({ path, sha256: computeSha256, migrations: [...MIGRATIONS, next] })
    const changed = { ...next, sql: 'CREATE TABLE later (b TEXT)' }
    const before = readFileSync(path)
    throws(
      () => openOwned({ path, sha256: computeSha256, migrations: [...MIGRATIONS, changed] }),
      (error) => {
        match(String(error), new RegExp(`schema step ${next.number} `))
        return code('STORE_CORRUPT')(error)
      },
    )
    equal(before.equals(readFileSync(path)), true)
  })

  it('apply a step whole or not at all', () => {
    const path = createTemporaryPath()
    createStore({ path, sha256: computeSha256, migrations: MIGRATIONS })
    const broken = { ...next, sql: 'CREATE TABLE later (a TEXT); INSERT INTO nowhere VALUES (1)' }
    throws(() => openOwned({ path, sha256: computeSha256, migrations: [...MIGRATIONS, broken] }))
    openOwned({ path, sha256: computeSha256, migrations: [...MIGRATIONS, next] }).close()
  })
})

function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
  const steps = database.prepare('SELECT * FROM schema_migrations').all()
  database.close()
  return [...rows, ...steps]
}

async function fill(store: Store): Promise<void> {
  await begin(store)
  await commit(store, [buildWorldCommit([{ op: 'create', kind: 'account', id: 'a', value: '1' }])])
  await commit(store, [
    buildNote(MAIN, 1, toDfid(1)),
    putFlow(1, { tags: ['DIRTY'] }),
    putExecution(1, 'a', { result: ['ü'] }),
    { kind: 'put_writ', writ: buildWrit('w'), entry: 0 },
    { kind: 'count', id: 'c', by: 7 },
  ])
  await store.saveCheckpoint({ epoch: 1, size: 3, note: 'note' })
}

async function everything(store: Store) {
  await store.integrate()
  return {
    heads: await store.listHeads(),
    leaves: await store.listLeaves(0, 100),
    flows: await store.listFlows({ limit: 10 }),
    executions: await store.listExecutions({ limit: 10 }),
    writs: await store.listWrits(10),
    counter: await store.readCounter('c'),
    world: await store.listWorld(MAIN, null, 10),
    checkpoint: await store.readCheckpoint(),
    tree: await store.readTree(),
  }
}

/** Columns that were written differently. */
const AS_BEFORE: Readonly<Record<string, string>> = {
  history: `(SELECT json_group_array(json_object('from', s.from_state, 'to', s.to_state, 'at', s.at))
    FROM newer.flow_steps s WHERE s.dfid = flows.dfid)`,
}

/** The tables and columns that both have; what says which schema a file has stays as it is. */
function copyRows(from: string, to: string): void {
  const tables = namesIn(to, 'table').filter((name) => {
    return name !== 'meta' && name !== 'schema_migrations' && !name.startsWith('sqlite_')
  })
  const database = new DatabaseSync(to)
  database.prepare('ATTACH ? AS newer').run(from)
  for (const name of tables) {
    const columns = (schema: string) => {
      const rows = database.prepare(`SELECT name FROM pragma_table_info('${name}', '${schema}')`)
      return rows.all().map((column) => String(column.name))
    }
    const kept = new Set(columns('newer'))
    const own = columns('main')
    const values = own.map((column) => AS_BEFORE[column] ?? (kept.has(column) ? column : "x''"))
    const source = name === 'entries' ? 'ledger' : name
    database.exec(`INSERT INTO ${name} (${own}) SELECT ${values} FROM newer.${source}`)
  }
  database.close()
}

function namesIn(path: string, type?: 'table'): string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT type, name FROM sqlite_schema').all()
  database.close()
  return rows
    .filter((row) => type === undefined || row.type === type)
    .map(({ name }) => String(name))
}
