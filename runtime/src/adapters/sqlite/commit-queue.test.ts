import { deepEqual, equal } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import {
  begin,
  commit,
  dfidOf,
  note,
  putFlow,
  worldCommit,
} from '../../ports/conformance/fixture.ts'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { StoreError } from '../../ports/store.ts'
import { openAt } from './open-at.ts'
import { temporaryPath } from './testing.ts'

/** Makes the database refuse what the store could not foresee. */
const TRAP = `CREATE TRIGGER trap BEFORE INSERT ON flows WHEN NEW.agent_id = 'boom'
  BEGIN SELECT RAISE(ABORT, 'boom'); END`

function otherConnection(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

describe('group commit', () => {
  it('fails every unit of a transaction that fails, and forgets them all (S5)', async () => {
    const path = temporaryPath()
    const store = await openAt(path)
    await begin(store)
    otherConnection(path, TRAP)
    const create = worldCommit([{ op: 'create', kind: 'account', id: 'a', value: '1' }])
    const before = await store.heads()
    const answers = await Promise.allSettled([
      commit(store, [note(MAIN, 1), { kind: 'count', id: 'c', by: 1 }]),
      commit(store, [create, putFlow(1)]),
      commit(store, [note(MAIN, 2), putFlow(2, { agent_id: 'boom' })]),
      commit(store, [note(MAIN, 3)]),
    ])
    for (const answer of answers) {
      equal(answer.status === 'rejected' && answer.reason instanceof StoreError, true)
    }
    deepEqual(await store.heads(), before)
    equal(await store.leafCount(), 2)
    equal(await store.counter('c'), 0)
    equal(await store.flow(dfidOf(1)), null)
    deepEqual(await store.world(MAIN, null, 10), [])

    equal((await commit(store, [note(MAIN, 4), create])).ok, true)
    assertChained(await store.leaves(0, 10))
    await store.close()
  })

  it('puts what arrives together into one transaction, up to its cap', async () => {
    const path = temporaryPath()
    const store = await openAt(path)
    await begin(store)
    const watcher = new DatabaseSync(path, { readOnly: true })
    const version = () => watcher.prepare('PRAGMA data_version').get()?.data_version
    const seen = new Set([version()])
    const units = Array.from({ length: 1300 }, async (_, i) => {
      await commit(store, [note(MAIN, i)])
      seen.add(version())
    })
    await Promise.all(units)
    // Three batches: 512, 512 and 276. The version counts the commits that the watcher noticed.
    equal(seen.size - 1, 3)
    watcher.close()
    await store.close()
  })
})
