import { deepEqual, equal, rejects } from 'node:assert/strict'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import { type Store, StoreError } from '../store.ts'
import {
  begin,
  buildBranch,
  buildNote,
  buildWorldCommit,
  buildWrit,
  commit,
  putExecution,
  putFlow,
  type RegisterCheck,
  START,
  TENANT,
  toDfid,
} from './fixture.ts'
import { assertChained } from './ledger.ts'

const isClosedError = (error: unknown) =>
  error instanceof StoreError && error.code === 'STORE_CLOSED'

export function registerLifetimeTests(check: RegisterCheck): void {
  check('a store is bound to its tenant', async ({ store }) => {
    await begin(store)
    equal(store.tenant, TENANT)
    await store.integrate()
    for (const { envelope } of await store.listLeaves(0, 10)) equal(envelope.tenant, TENANT)
  })

  check('a closed store rejects every call', async ({ store }) => {
    await begin(store)
    await store.close()
    const calls: (() => Promise<unknown>)[] = [
      () => commit(store, []),
      () => store.readNow(MAIN),
      () => store.readDecision(toDfid(1), 'a', () => []),
      () => store.readFlow(toDfid(1)),
      () => store.listFlows({ limit: 1 }),
      () => store.listExecutions({ limit: 1 }),
      () => store.readCounter('c'),
      () => store.readWrit(buildWrit('w').id),
      () => store.listWrits(1),
      () => store.readResources(MAIN, []),
      () => store.listWorld(MAIN, null, 1),
      () => store.listHeads(),
      () => store.listEntries(MAIN, 0, 1),
      () => store.listCommits(MAIN, 0, 1),
      () => store.listFlowEntries(toDfid(1)),
      () => store.listLeaves(0, 1),
      () => store.listLeafEnvelopes(0, 1),
      () => store.countLeaves(),
      () => store.listLeafIds(0, 1),
      () => store.listTiles(0, 1),
      () => store.readTree(),
      () => store.readCheckpoint(),
      () => store.saveCheckpoint({ epoch: 1, size: 1, note: '' }),
    ]
    for (const call of calls) await rejects(call(), isClosedError, String(call))
    await store.close()
  })

  check('units that wait when the store closes are finished or rejected', async ({ store }) => {
    await begin(store)
    const units = Array.from({ length: 1200 }, (_, i) => commit(store, [buildNote(MAIN, i)]))
    const answers = Promise.allSettled(units)
    await store.close()
    for (const answer of await answers) {
      if (answer.status === 'fulfilled') equal(answer.value.ok, true)
      else equal(isClosedError(answer.reason), true)
    }
  })

  check('what was acknowledged is there when the store is opened again (S1)', async (fixture) => {
    const { store, clock } = fixture
    await fill(store)
    const before = await readEverything(store)
    const again = await fixture.reopen()
    deepEqual(await readEverything(again), before)
    equal(again.epoch, store.epoch + 1)

    clock.set(START - 5000)
    const outcome = await commit(again, [buildNote(MAIN, 9), buildWorldCommit([add('a', '1')])])
    equal(outcome.ok && outcome.at, '2026-01-31T09:30:00.000Z')
    await again.integrate()
    assertChained(await again.listLeaves(0, 1000))
    equal((await again.readResources(MAIN, [{ kind: 'account', id: 'a' }]))[0]?.value, '3')
  })

  check('units in flight at close that were acknowledged are kept (S1)', async (fixture) => {
    const { store } = fixture
    await begin(store)
    const units = Array.from({ length: 700 }, (_, i) => commit(store, [buildNote(MAIN, i)]))
    const answers = Promise.allSettled(units)
    await store.close()
    const kept = (await answers).filter(({ status }) => status === 'fulfilled').length
    const again = await fixture.reopen()
    await again.integrate()
    equal((await again.countLeaves()) - 2, kept)
  })
}

const add = (id: string, by: string) => ({ op: 'increment', kind: 'account', id, by }) as const

async function fill(store: Store): Promise<void> {
  await begin(store)
  await commit(store, [buildWorldCommit([{ op: 'create', kind: 'account', id: 'a', value: '1' }])])
  await commit(store, [buildWorldCommit([add('a', '1')]), buildBranch('what-if', MAIN, 1)])
  await commit(store, [
    buildNote(AUTHORITY, 1),
    putFlow(1, { tags: ['DIRTY'] }),
    putExecution(1, 'a', { result: [1] }),
    { kind: 'put_writ', writ: buildWrit('w'), entry: 0 },
    { kind: 'count', id: 'c', by: 5 },
  ])
  await store.saveCheckpoint({ epoch: 1, size: 3, note: 'note' })
}

async function readEverything(store: Store): Promise<unknown> {
  await store.integrate()
  return {
    heads: await store.listHeads(),
    leaves: await store.listLeaves(0, 1000),
    flows: await store.listFlows({ limit: 10 }),
    executions: await store.listExecutions({ limit: 10 }),
    writs: await store.listWrits(10),
    counter: await store.readCounter('c'),
    worlds: [await store.listWorld(MAIN, null, 10), await store.listWorld('what-if', null, 10)],
    checkpoint: await store.readCheckpoint(),
    tree: await store.readTree(),
  }
}
