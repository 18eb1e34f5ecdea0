import { deepEqual, equal } from 'node:assert/strict'
import { assert, MAIN } from 'rubicon-kernel'
import type { Guard, Write } from '../store.ts'
import {
  begin,
  buildExecutionRow,
  buildGuardedUnit,
  buildNote,
  commit,
  putExecution,
  putFlow,
  type RegisterCheck,
  toDfid,
} from './fixture.ts'

const step = { dfid: toDfid(1), step_id: 'a' }
const absent: Guard = { kind: 'claim_absent', ...step }
const present: Guard = { kind: 'execution_version', ...step, version: 1 }
const drop: Write = { kind: 'drop_execution', ...step }

export function registerExecutionTests(check: RegisterCheck): void {
  check('drop_execution gives the claim back, and no other', async ({ store }) => {
    await commit(store, [putFlow(1)])
    await commit(store, [putExecution(1, 'a'), putExecution(1, 'b'), putExecution(2, 'a')])
    deepEqual(await store.commit(buildGuardedUnit(absent)), { ok: false, failed: absent })
    equal((await commit(store, [drop])).ok, true)
    equal((await store.readDecision(toDfid(1), 'a', () => []))?.claim, null)
    const left = (await store.listExecutions({ limit: 9 })).map((row) => [row.dfid, row.step_id])
    deepEqual(left, [
      [toDfid(1), 'b'],
      [toDfid(2), 'a'],
    ])
    deepEqual(await store.commit(buildGuardedUnit(present)), { ok: false, failed: present })

    const second = buildExecutionRow(1, 'a', {
      params_fingerprint: 'f2',
      intent: '{"intent_id":"j"}',
    })
    const claim = buildGuardedUnit(absent, [{ kind: 'put_execution', execution: second }])
    equal((await store.commit(claim)).ok, true)
    deepEqual((await store.readDecision(toDfid(1), 'a', () => []))?.claim, second)
    deepEqual(await store.commit(claim), { ok: false, failed: absent })
  })

  check('to drop an execution that is not there is no mistake', async ({ store }) => {
    equal((await commit(store, [drop])).ok, true)
    equal((await store.commit(buildGuardedUnit(absent))).ok, true)
  })

  check('of several writes to one step in a unit the last one stands', async ({ store }) => {
    await commit(store, [putExecution(1, 'a'), drop])
    deepEqual(await store.listExecutions({ limit: 9 }), [])
    const first = buildExecutionRow(1, 'a', { idempotency_key: 'first' })
    const second = buildExecutionRow(1, 'a', { idempotency_key: 'second', status: 'UNKNOWN' })
    const putFirst: Write = { kind: 'put_execution', execution: first }
    const putSecond: Write = { kind: 'put_execution', execution: second }
    equal((await commit(store, [drop, putFirst, drop, putSecond])).ok, true)
    deepEqual(await store.listExecutions({ limit: 9 }), [second])
    await commit(store, [drop, putFirst])
    deepEqual(await store.listExecutions({ limit: 9 }), [first])
    await commit(store, [putSecond, drop])
    deepEqual(await store.listExecutions({ limit: 9 }), [])
    equal((await store.commit(buildGuardedUnit(absent))).ok, true)
  })

  check(
    'a step that is dispatched and settled in one unit has its place and its end',
    async (fixture) => {
      const { store } = fixture
      await begin(store)
      const execution = buildExecutionRow(1, 'a', { version: 2, status: 'SUCCESS' })
      const writes: readonly Write[] = [
        buildNote(MAIN, 1),
        { kind: 'put_execution', execution, entry: 0, settles: true },
        buildNote(MAIN, 2),
      ]
      const outcome = await store.commit(buildGuardedUnit(absent, writes))
      assert(outcome.ok, 'it was dispatched')
      const dispatched = { trajectory: MAIN, seq: outcome.entries[0]?.seq ?? -1 }
      const row = { ...execution, dispatched, settled_at: outcome.at }
      deepEqual(await store.listExecutions({ limit: 9 }), [row])
      deepEqual(await (await fixture.reopen()).listExecutions({ limit: 9 }), [row])
    },
  )

  check('a unit that fails drops no execution', async ({ store }) => {
    await begin(store)
    await commit(store, [putExecution(1, 'a')])
    const never: Guard = { kind: 'authority_seq', seq: 99 }
    deepEqual(await store.commit(buildGuardedUnit(never, [drop])), { ok: false, failed: never })
    deepEqual(await store.listExecutions({ limit: 9 }), [buildExecutionRow(1, 'a')])
    deepEqual(await store.commit(buildGuardedUnit(absent)), { ok: false, failed: absent })
  })

  check('concurrent claims and drops of one step: each claim is won once (S2)', async (fixture) => {
    const { store } = fixture
    await begin(store)
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 3 < 2
          ? store.commit(buildGuardedUnit(absent, [putExecution(1, 'a'), buildNote(MAIN, i)]))
          : store.commit(buildGuardedUnit(present, [drop])),
      ),
    )
    const countWon = (...thirds: number[]) =>
      outcomes.filter(({ ok }, i) => ok && thirds.includes(i % 3)).length
    const left = (await store.listExecutions({ limit: 9 })).length
    equal(countWon(0, 1) - countWon(2), left)
    equal((await store.listEntries(MAIN, 1, 100)).length, countWon(0, 1))
  })

  check('a dropped execution stays dropped when the store is opened again', async (fixture) => {
    const { store } = fixture
    await commit(store, [putExecution(1, 'a'), putExecution(1, 'b')])
    await commit(store, [drop])
    const again = await fixture.reopen()
    deepEqual(await again.listExecutions({ limit: 9 }), [buildExecutionRow(1, 'b')])
    equal((await again.commit(buildGuardedUnit(absent, [putExecution(1, 'a')]))).ok, true)
    equal((await again.listExecutions({ limit: 9 })).length, 2)
  })
}
