import { deepEqual, equal, rejects } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import {
  begin,
  buildExecutionRow,
  buildGuardedUnit,
  buildNote,
  buildWorldCommit,
  commit,
  putExecution,
  putFlow,
  toDfid,
} from '../../ports/conformance/fixture.ts'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { type Guard, StoreError, type Write } from '../../ports/store.ts'
import { openTestStore } from './open-at.ts'
import { createTemporaryPath } from './testing.ts'

/** What the database refuses, and the store could not foresee: bytes in a column of text. */
const TRAP = { agent_id: new Uint8Array(1) as never }

const STATE = { record: 'agent_state', group: 'agents', key: 'trader' } as const

function putState(value: string): Write {
  return { kind: 'put_record', ...STATE, body: { value, updated_at: 'x' } }
}

describe('group commit', () => {
  it('fails every unit of a transaction that fails, and forgets them all (S5)', async () => {
    const path = createTemporaryPath()
    const store = await openTestStore(path)
    await begin(store)
    const create = buildWorldCommit([{ op: 'create', kind: 'account', id: 'a', value: '1' }])
    const before = await store.listHeads()
    const answers = await Promise.allSettled([
      commit(store, [buildNote(MAIN, 1), { kind: 'count', id: 'c', by: 1 }]),
      commit(store, [create, putFlow(1)]),
      commit(store, [buildNote(MAIN, 2), putFlow(2, TRAP)]),
      commit(store, [buildNote(MAIN, 3)]),
    ])
    for (const answer of answers) {
      equal(answer.status === 'rejected' && answer.reason instanceof StoreError, true)
    }
    deepEqual(await store.listHeads(), before)
    equal(await store.countLeaves(), 2)
    equal(await store.readCounter('c'), 0)
    equal(await store.readFlow(toDfid(1)), null)
    deepEqual(await store.listWorld(MAIN, null, 10), [])

    equal((await commit(store, [buildNote(MAIN, 4), create])).ok, true)
    assertChained(await store.listLeaves(0, 10))
    await store.close()
  })

  it('brings back what a failed transaction had replaced or dropped (S5)', async () => {
    const path = createTemporaryPath()
    const store = await openTestStore(path)
    await commit(store, [putExecution(1, 'a'), putState('kept')])
    const answers = await Promise.allSettled([
      commit(store, [{ kind: 'drop_execution', dfid: toDfid(1), step_id: 'a' }]),
      commit(store, [putState('lost'), { ...STATE, kind: 'drop_record' }]),
      commit(store, [putState('lost'), putState('lost')]),
      commit(store, [putFlow(2, TRAP)]),
    ])
    deepEqual(
      answers.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected', 'rejected'],
    )
    const claim: Guard = { kind: 'claim_absent', dfid: toDfid(1), step_id: 'a' }
    deepEqual(await store.commit(buildGuardedUnit(claim)), { ok: false, failed: claim })
    deepEqual(await store.listExecutions({ limit: 9 }), [buildExecutionRow(1, 'a')])
    await commit(store, [putState('next')])
    const { version, body } = (await store.readRecord('agent_state', 'agents', 'trader')) ?? {}
    deepEqual([version, body?.value], [2, 'next'])
    await store.close()
  })

  it('writes nothing once another connection has written (5)', async () => {
    const path = createTemporaryPath()
    const store = await openTestStore(path)
    await begin(store)
    const other = new DatabaseSync(path)
    other.prepare('SELECT * FROM flows').all()
    equal((await commit(store, [buildNote(MAIN, 1)])).ok, true)
    other.exec("UPDATE meta SET value = 7 WHERE key = 'clean'")
    for (const time of [2, 3])
      await rejects(commit(store, [buildNote(MAIN, time)]), { code: 'HEAD_MISMATCH' })
    other.close()
    equal(await store.countLeaves(), 3)
    await store.close()
  })

  it('puts what arrives together into one transaction, up to its cap', async () => {
    const path = createTemporaryPath()
    const store = await openTestStore(path)
    await begin(store)
    const watcher = new DatabaseSync(path, { readOnly: true })
    const version = () => watcher.prepare('PRAGMA data_version').get()?.data_version
    const seen = new Set([version()])
    const units = Array.from({ length: 1300 }, async (_, i) => {
      await commit(store, [buildNote(MAIN, i)])
      seen.add(version())
    })
    await Promise.all(units)
    // Three batches: 512, 512 and 276. The version counts the commits that the watcher noticed.
    equal(seen.size - 1, 3)
    watcher.close()
    await store.close()
  })
})
