/** Codes of rows and the root of the World, the same on every database. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import { begin, buildWorldCommit, commit } from '../ports/conformance/fixture.ts'
import type { RowVouching } from '../ports/row-mac.ts'
import type { Store, Write } from '../ports/store.ts'
import {
  createFreshDatabase,
  describeWithServer,
  getServer,
  open,
  parseDatabaseName,
} from './postgres/testing.ts'
import { openTestStore } from './sqlite/open-at.ts'
import { createTemporaryPath } from './sqlite/testing.ts'
import { openKeyFolder } from './system/key-folder.ts'
import { openRowKey } from './system/row-key.ts'

/** `change`: as somebody does who holds the database; the store as it is opened then. */
type Place = { readonly store: Store; change(sql: string): Promise<Store> }

const rowMac = openRowKey(openKeyFolder(''), new Uint8Array(32).fill(7))

describe('codes of rows: sqlite', () => {
  codesOfRows(async (vouching) => {
    const path = createTemporaryPath()
    let store = await openTestStore(path, vouching)
    const change = async (sql: string): Promise<Store> => {
      await store.close()
      const database = new DatabaseSync(path)
      database.exec(sql)
      database.close()
      store = await openTestStore(path, vouching)
      return store
    }
    return { store, change }
  })
})

describeWithServer('codes of rows: postgres', () => {
  codesOfRows(async (vouching) => {
    const address = await createFreshDatabase()
    const store = await open(address, vouching)
    const change = async (sql: string): Promise<Store> => {
      await (await getServer()).query(parseDatabaseName(address), sql)
      return store
    }
    return { store, change }
  })
})

function fact(key: string, value: string): Write {
  const body = { said: null, operator: { value } } as never
  return { kind: 'put_record', record: 'observation', group: 'state', key, body }
}

function codesOfRows(make: (vouching: RowVouching) => Promise<Place>): void {
  const told: string[] = []
  const vouching: RowVouching = { rowMac, distrusted: ({ row }) => void told.push(row) }
  const keysOf = async (store: Store, limit: number): Promise<readonly string[]> =>
    (await store.listRecords('observation', 'state', { limit })).map(({ key }) => key)

  it('a record whose code does not fit is absent, is told once, ends no list, and can be written again', async () => {
    const place = await make(vouching)
    let { store } = place
    told.length = 0
    await begin(store)
    await commit(
      store,
      ['a', 'b', 'c', 'd'].map((key) => fact(key, key)),
    )
    store = await place.change(
      "UPDATE records SET body = replace(body, '\"b\"', '\"x\"') WHERE key = 'b'",
    )
    equal(await store.readRecord('observation', 'state', 'b'), null)
    deepEqual(await keysOf(store, 2), ['a', 'c'])
    deepEqual(await keysOf(store, 9), ['a', 'c', 'd'])
    deepEqual(told, ['record `observation state b`'])
    const absent = { record: 'observation', group: 'state', key: 'b', version: null } as const
    const again = await store.commit({
      guards: [{ kind: 'record_version', ...absent }],
      writes: [fact('b', 'again')],
    })
    equal(again.ok, true)
    deepEqual(await keysOf(store, 9), ['a', 'b', 'c', 'd'])
    await store.close()
  })

  it('no record can stand in for another, and a hold that does not fit is refused', async () => {
    const place = await make(vouching)
    let { store } = place
    await begin(store)
    await commit(store, [fact('a', 'same'), fact('b', 'same')])
    const code = "(SELECT code FROM records WHERE key = 'a')"
    store = await place.change(`UPDATE records SET code = ${code} WHERE key = 'b'`)
    deepEqual(await keysOf(store, 9), ['a'])
    const body = { dfid: 'f', step_id: 's' } as never
    await commit(store, [{ kind: 'put_record', record: 'lock', group: 'r', key: 'f:s', body }])
    store = await place.change("UPDATE records SET version = 9 WHERE record = 'lock'")
    await rejects(store.readRecord('lock', 'r', 'f:s'), { code: 'STORE_DIVERGED' })
    await store.close()
  })

  it('a counter of an agent that does not fit is refused to who asks for it, and to nobody else', async () => {
    const place = await make(vouching)
    let { store } = place
    await begin(store)
    const count = (id: string): Write => ({ kind: 'count', id, by: 5 })
    await commit(store, [count('window a 60 1 usd'), count('window b 60 1 usd')])
    store = await place.change("UPDATE counters SET used = 0 WHERE id LIKE 'window a %'")
    const guarded = (id: string) =>
      store.commit({ guards: [{ kind: 'counter', id, by: 0, limit: 9 }], writes: [] })
    const [refused, held] = await Promise.allSettled([
      guarded('window a 60 1 usd'),
      guarded('window b 60 1 usd'),
    ])
    equal(refused.status === 'rejected' && refused.reason.code, 'STORE_DIVERGED')
    equal(held.status === 'fulfilled' && held.value.ok, true)
    await rejects(store.readCounter('window a 60 1 usd'), { code: 'STORE_DIVERGED' })
    await store.close()
  })

  it('a resource is the one that the root of the World has', async () => {
    const place = await make(vouching)
    let { store } = place
    await begin(store)
    const op = { op: 'create', kind: 'account', id: 'a', value: '1' } as const
    equal((await commit(store, [buildWorldCommit([op])])).ok, true)
    const read = () => store.readResources(MAIN, [{ kind: 'account', id: 'a' }])
    equal((await read()).length, 1)
    store = await place.change(`UPDATE resources SET value = '"2"'`)
    await rejects(read(), ({ code, message }: { code: string; message: string }) => {
      match(message, /resource `account a` of `main`/)
      return code === 'STORE_DIVERGED'
    })
    store = await place.change('DELETE FROM resources')
    await rejects(read(), { code: 'STORE_DIVERGED' })
    await store.close()
  })
}
