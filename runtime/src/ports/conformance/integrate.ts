import { deepEqual, equal } from 'node:assert/strict'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import type { LeafEntry, Store } from '../store.ts'
import {
  begin,
  buildBranch,
  buildGuardedUnit,
  buildNote,
  commit,
  type RegisterCheck,
} from './fixture.ts'
import { assertChained } from './ledger.ts'

export function integrateTests(check: RegisterCheck): void {
  check('integrate gives every entry its place, without gaps (S4)', async ({ store }) => {
    await store.integrate()
    equal(await store.countLeaves(), 0)
    await begin(store)
    await commit(store, [buildBranch('what-if', MAIN, 0)])
    const names = [AUTHORITY, MAIN, 'what-if'] as const
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        return commit(store, [buildNote(names[i % 3] ?? MAIN, i), buildNote(MAIN, i + 1000)])
      }),
    )
    await store.integrate()
    equal(await store.countLeaves(), 3 + 2 * 60)
    const leaves = await store.listLeaves(0, 1000)
    equal(leaves.length, 3 + 2 * 60)
    assertChained(leaves)
    for (const trajectory of names) {
      const entries = await store.listEntries(trajectory, 0, 1000)
      const own = leaves.filter(({ envelope }) => envelope.trajectory === trajectory)
      deepEqual(entries, own)
    }
  })

  check('integrate changes nothing when nothing came', async ({ store }) => {
    await begin(store)
    for (let i = 0; i < 10; i += 1) await commit(store, [buildNote(MAIN, i)])
    await store.integrate()
    const before = await store.listLeaves(0, 100)
    await store.integrate()
    await Promise.all(Array.from({ length: 5 }, () => store.integrate()))
    deepEqual(await store.listLeaves(0, 100), before)
    equal(await store.countLeaves(), 12)
  })

  check('an entry keeps its place, whatever comes later (S4)', async (fixture) => {
    const { store } = fixture
    await begin(store)
    await commit(store, [buildNote(AUTHORITY, 1), buildNote(MAIN, 1)])
    await store.integrate()
    const before = await store.listLeaves(0, 100)
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => commit(store, [buildNote(MAIN, i)])),
      ...Array.from({ length: 3 }, () => store.integrate()),
    ])
    await store.integrate()
    const after = await store.listLeaves(0, 100)
    equal(after.length, 4 + 20)
    deepEqual(after.slice(0, 4), before)
    assertChained(after)

    const again = await fixture.reopen()
    await again.integrate()
    deepEqual(await again.listLeaves(0, 100), after)
    await commit(again, [buildNote(MAIN, 99)])
    await again.integrate()
    assertChained(await again.listLeaves(0, 100))
    equal(await again.countLeaves(), 25)
  })

  check('the tree keeps entries between the authority they cite and the next (S4)', async (one) => {
    const { store } = one
    await begin(store)
    await commit(store, [buildBranch('what-if', MAIN, 0)])
    const authority = Array.from({ length: 5 }, (_, i) => commit(store, [buildNote(AUTHORITY, i)]))
    const citing = Array.from({ length: 40 }, (_, i) => cite(store, i % 2 ? MAIN : 'what-if', i))
    await Promise.all([...citing.slice(0, 20), ...authority, ...citing.slice(20)])
    await commit(store, [buildNote(AUTHORITY, 9)])
    await cite(store, MAIN, 99)
    await store.integrate()
    const leaves = await store.listLeaves(0, 1000)
    equal(leaves.length, 3 + 5 + 40 + 2)
    assertChained(leaves)
    assertCited(leaves)
  })
}

/** Appends an entry that cites the authority as it stands; another try when it has moved. */
async function cite(store: Store, trajectory: string, n: number): Promise<void> {
  const { authority_seq } = await store.readNow(trajectory)
  const write = { ...buildNote(trajectory, n), authority_seq }
  const unit = buildGuardedUnit({ kind: 'authority_seq', seq: authority_seq }, [write])
  if (!(await store.commit(unit)).ok) await cite(store, trajectory, n)
}

function assertCited(leaves: readonly LeafEntry[]): void {
  let last = -1
  for (const { envelope } of leaves) {
    if (envelope.trajectory === AUTHORITY) last = envelope.seq
    else if (envelope.authority_seq !== undefined) equal(envelope.authority_seq, last)
  }
}
