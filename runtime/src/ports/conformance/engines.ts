import { deepEqual, equal, rejects } from 'node:assert/strict'
import { type Guard, StoreError } from '../store.ts'
import { buildGuardedUnit, type RegisterCheck } from './fixture.ts'

const buildAliveGuard = (epoch: number): Guard => ({ kind: 'engine_epoch', epoch })
const count = [{ kind: 'count', id: 'c', by: 1 }] as const

export function registerEngineTests(check: RegisterCheck): void {
  check('an engine has not ended while it runs, nor before it started', async ({ store }) => {
    deepEqual(await store.listEndedEpochs([]), [])
    deepEqual(await store.listEndedEpochs([store.epoch, store.epoch + 1]), [])
    equal((await store.commit(buildGuardedUnit(buildAliveGuard(store.epoch)))).ok, true)
  })

  check('an engine that was there before has ended, and writes no more', async (fixture) => {
    const first = fixture.store.epoch
    const again = await fixture.reopen()
    const { epoch } = again
    equal(epoch > first, true)
    deepEqual(await again.listEndedEpochs([epoch, first]), [first])
    const guard = buildAliveGuard(first)
    deepEqual(await again.commit(buildGuardedUnit(guard, count)), { ok: false, failed: guard })
    equal((await again.commit(buildGuardedUnit(buildAliveGuard(epoch), count))).ok, true)
    equal(await again.readCounter('c'), 1)
  })

  check('a closed store rejects what is asked of records, engines and leaves', async (fixture) => {
    const { store } = fixture
    await store.close()
    const calls: (() => Promise<unknown>)[] = [
      () => store.integrate(),
      () => store.listEndedEpochs([1]),
      () => store.readRecord('note', 'a', 'b'),
      () => store.listRecords('note', 'a', { limit: 1 }),
    ]
    const isClosedError = (error: unknown) =>
      error instanceof StoreError && error.code === 'STORE_CLOSED'
    for (const call of calls) await rejects(call(), isClosedError, String(call))
  })
}
