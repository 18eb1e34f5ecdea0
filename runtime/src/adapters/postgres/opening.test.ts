import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import { begin, buildNote, commit, putFlow } from '../../ports/conformance/fixture.ts'
import { StoreError, type StoreErrorCode } from '../../ports/store.ts'
import { isPostgresAddress, redactAddress } from '../../ports/store-address.ts'
import { startLocalServer } from './local-server.ts'
import { openTestStore } from './open-at.ts'
import {
  createEmptyDatabase,
  createFreshDatabase,
  describeWithServer,
  getServer,
  open,
  parseDatabaseName,
} from './testing.ts'

const SECRET = 'hunter2'

/** The code, a fix, and nowhere the password. */
function fails(code: StoreErrorCode, says: RegExp): (error: unknown) => boolean {
  return (error) => {
    equal(error instanceof StoreError && error.code, code, String(error))
    match(String(error), says)
    const { fix } = error as StoreError
    equal(fix.length > 0, true)
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      const text = `${cause.message} ${JSON.stringify(cause)} ${fix}`
      equal(text.includes(SECRET), false, text)
    }
    return true
  }
}

function withUser(address: string, user: string): string {
  return address.replace('rubicon@', `${user}:${SECRET}@`)
}

describe('the address of a store', () => {
  it('is shown without its password and its options', () => {
    const shown: readonly (readonly [string, string])[] = [
      ['postgres://u:p@h:5432/d', 'postgres://u@h:5432/d'],
      ['postgres://u:p@q@h/d', 'postgres://u@h/d'],
      ['postgresql://u@h/d?password=p&sslmode=require', 'postgresql://u@h/d'],
      ['postgres://h/d', 'postgres://h/d'],
      ['postgres://u:p@/d?host=/run', 'postgres://u@/d'],
      ['postgress://u:p@h/d', 'postgress://u@h/d'],
      ['sqlite:./a@b:c.db', 'sqlite:./a@b:c.db'],
      ['memory', 'memory'],
    ]
    for (const [address, expected] of shown) equal(redactAddress(address), expected)
  })

  it('says which adapter it is for', () => {
    for (const address of ['postgres://h/d', 'postgresql://h/d']) {
      equal(isPostgresAddress(address), true)
    }
    for (const address of ['postgres:h', 'sqlite:postgres://', 'memory', '']) {
      equal(isPostgresAddress(address), false)
    }
  })
})

describeWithServer('opening', () => {
  it('makes a store in an empty database, and finds it again', async () => {
    const address = await createEmptyDatabase()
    const store = await open(address)
    await begin(store)
    await store.close()
    const again = await open(address.replace('postgres:', 'postgresql:'))
    equal((await again.listHeads()).length, 2)
    equal(again.epoch, 2)
  })

  it('keeps tenants apart in one database', async () => {
    const address = await createFreshDatabase()
    const [acme, other] = [await open(address), await open(address, { tenant: 'other' })]
    await begin(acme)
    await commit(acme, [putFlow(1), { kind: 'count', id: 'c', by: 1 }, buildNote(MAIN, 1)])
    deepEqual([other.epoch, await other.listHeads(), await other.readCounter('c')], [1, [], 0])
    deepEqual(await other.listFlows({ limit: 9 }), [])
    await begin(other)
    await other.integrate()
    equal((await other.listLeaves(0, 9)).length, 2)
    deepEqual(await other.listEndedEpochs([1]), [])
  })

  it('reads beside writers, and writes nothing', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    await begin(store)
    await commit(store, [putFlow(1)])
    const reader = await open(address, { mode: 'read' })
    equal(reader.epoch, 0)
    equal((await reader.listHeads()).length, 2)
    equal((await reader.listFlows({ limit: 9 })).length, 1)
    await commit(store, [buildNote(MAIN, 1)])
    equal((await reader.listEntries(MAIN, 0, 9)).length, 2)
    deepEqual(await reader.listEndedEpochs([store.epoch]), [])
    const readOnly = fails('STORE_READ_ONLY', /opened for reading/)
    const checkpoint = { epoch: 1, size: 1, note: '' }
    await rejects(commit(reader, []), readOnly)
    await rejects(reader.integrate(), readOnly)
    await rejects(reader.saveCheckpoint(checkpoint), readOnly)
  })

  it('reads only what there is: an empty database is no store', async () => {
    const address = withUser(await createEmptyDatabase(), 'rubicon')
    await rejects(open(address, { mode: 'read' }), fails('STORE_MISSING', /does not exist/))
    const one = await getServer()
    const tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"
    deepEqual(await one.query(parseDatabaseName(address), tables), [])
  })

  it('says what is wrong with the way to the server', async () => {
    const address = withUser(await createEmptyDatabase(), 'rubicon')
    const closed = address.replace(/:\d+\//, ':1/')
    const nowhere = address.replace('127.0.0.1', 'nowhere.invalid')
    for (const mode of ['own', 'read'] as const) {
      await rejects(openTestStore(closed, { mode }), fails('STORE_ERROR', /does not answer/))
      await rejects(openTestStore(nowhere, { mode }), fails('STORE_ERROR', /does not answer/))
      const absent = address.replace(parseDatabaseName(address), 'absent')
      await rejects(openTestStore(absent, { mode }), fails('STORE_MISSING', /no such database/))
      const stranger = withUser(address.replace(`rubicon:${SECRET}@`, 'rubicon@'), 'stranger')
      await rejects(
        openTestStore(stranger, { mode }),
        fails('STORE_ERROR', /does not let this user in/),
      )
    }
  })

  it('refuses a server or a role that cannot write, before anything is made', async () => {
    const address = await createEmptyDatabase()
    const one = await getServer()
    await one.query('postgres', 'CREATE ROLE guest LOGIN')
    const guest = withUser(address, 'guest')
    await rejects(openTestStore(guest), fails('STORE_READ_ONLY', /permission denied/))
    const name = parseDatabaseName(address)
    await one.query('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await rejects(
      openTestStore(withUser(address, 'rubicon')),
      fails('STORE_READ_ONLY', /only reads/),
    )
  })

  it('lets a role work that was given the rights of the writer and nothing else', async () => {
    const address = await createFreshDatabase()
    const one = await getServer()
    await one.query('postgres', 'CREATE ROLE clerk LOGIN IN ROLE rubicon_writer')
    const store = await open(withUser(address, 'clerk'))
    await begin(store)
    await store.integrate()
    equal(await store.countLeaves(), 2)
  })

  it('goes on as the owner where no role can be made', async () => {
    const one = await getServer()
    await one.query('postgres', 'CREATE ROLE plain LOGIN')
    await one.query('postgres', 'CREATE DATABASE plain OWNER plain')
    await one.query('postgres', 'REVOKE rubicon_writer FROM plain')
    const store = await open(withUser(one.formatAddress('plain'), 'plain'))
    await begin(store)
    await store.integrate()
    equal(await store.countLeaves(), 2)
    await rejects(one.query('plain', 'DELETE FROM entries'), /never deleted/)
  })

  it('refuses a server that would lose what it acknowledged', async () => {
    const careless = await startLocalServer({ fsync: 'off' })
    try {
      const address = withUser(careless.formatAddress('postgres'), 'rubicon')
      await rejects(openTestStore(address), fails('STORE_ERROR', /fsync off/))
    } finally {
      await careless.remove()
    }
  })

  it('waits for the disk also where the server does not by default', async () => {
    const address = await createFreshDatabase()
    const one = await getServer()
    const name = parseDatabaseName(address)
    await one.query('postgres', `ALTER DATABASE ${name} SET synchronous_commit = off`)
    const store = await open(address)
    await one.query(
      name,
      `CREATE TABLE seen AS SELECT ''::text AS mode;
      GRANT INSERT ON seen TO rubicon_writer;
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
      CREATE TRIGGER see BEFORE INSERT ON counters FOR EACH ROW EXECUTE FUNCTION see()`,
    )
    await commit(store, [{ kind: 'count', id: 'c', by: 1 }])
    deepEqual(await one.query(name, "SELECT mode FROM seen WHERE mode <> ''"), [{ mode: 'on' }])
  })
})
